/* A runtime that does not survive its start. */
#include <stdlib.h>

void GOMP_parallel(void) {}

int omp_get_max_threads(void) {
  abort();
}
