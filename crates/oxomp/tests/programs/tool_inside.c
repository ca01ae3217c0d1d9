/* A program that is its own OMPT tool, which wants no events. */
#include <stddef.h>

void *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
  (void)omp_version;
  (void)runtime_version;
  return NULL;
}

int main(void) {
#pragma omp parallel
  {}
  return 0;
}
