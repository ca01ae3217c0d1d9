/* Constructs whose events a tool sees; each has its own line. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int data[16], extra[4];

int main(void)
{
  int small = 3, *memory;
#pragma omp target map(tofrom : data) firstprivate(extra)
  data[0] = extra[0] + small;
#pragma omp target data map(to : data)
  {
#pragma omp target update from(data[0:4])
#pragma omp target teams num_teams(2) map(tofrom : extra)
    extra[1] = 7;
  }
#pragma omp target enter data map(alloc : extra)
#pragma omp target exit data map(delete : extra)
#pragma omp target nowait map(tofrom : extra)
  extra[2] = 8;
#pragma omp taskwait
  memory = omp_target_alloc(64, 0);
  omp_target_memcpy(memory, data, 32, 0, 0, 0, omp_get_initial_device());
  omp_target_free(memory, 0);
  printf("%d %d %d\n", data[0], extra[1], extra[2]);
}
