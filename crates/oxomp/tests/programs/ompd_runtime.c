/* A runtime just large enough to be asked for its OMPD library, which is LIBRARY. */
void GOMP_parallel(void) {}

int omp_get_max_threads(void) {
  return 1;
}

void ompd_dll_locations_valid(void) {}
const char **ompd_dll_locations = (const char *[]){LIBRARY, 0};
