// Prints the largest amount of memory the process had in use, in kB.
#include <stdio.h>
#include <sys/resource.h>

int main(void) {
#pragma omp parallel num_threads(2)
  {
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("resident %ld\n", usage.ru_maxrss);
}
