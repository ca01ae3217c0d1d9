/* A tool of OpenMP 5. */
#define NEWER 1
#include "either.h"
