/* A tool of the 2015 report. */
#define NEWER 0
#include "either.h"
