/* What a Python wheel does: its runtime is a renamed copy beside it. */
int omp_get_num_procs(void);
int plugin(void) { return omp_get_num_procs(); }
