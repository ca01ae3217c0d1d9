/* A runtime just large enough to be recognised: omp_get_num_procs() answers PROCS. It has the
   version nodes of runtime.map, so that programs of gcc and of clang load it. */
int procs_gomp(void) { return PROCS; }
int procs_kmpc(void) { return PROCS; }
__asm__(".symver procs_gomp, omp_get_num_procs@OMP_1.0");
__asm__(".symver procs_kmpc, omp_get_num_procs@@VERSION");
