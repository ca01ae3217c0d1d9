/* nowait and depend: regions, data and updates in target tasks, in order of their dependences. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
  int x = 1, data[64], results[8] = {0}, n = 0;
  struct {
    int values[40];
  } copy = {{0}};
  for (int i = 0; i < 64; i++)
    data[i] = i;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    copy.values[3] = 5;
#pragma omp target nowait depend(inout : x) map(tofrom : x) firstprivate(copy)
    x = x * 2 + copy.values[3];
    copy.values[3] = 1000;
#pragma omp target nowait depend(inout : x) map(tofrom : x)
    x = x * 3;
#pragma omp target depend(inout : x) map(tofrom : x)
    x += 1;
#pragma omp taskwait
    printf("chain: %d\n", x);

#pragma omp target enter data map(to : data) nowait depend(out : data)
#pragma omp target nowait depend(inout : data) map(data)
    for (int i = 0; i < 64; i++)
      data[i] += 100;
#pragma omp target update from(data[10:3]) nowait depend(inout : data)
#pragma omp taskwait
    printf("updated: %d %d %d\n", data[9], data[10], data[12]);
#pragma omp target exit data map(from : data) nowait depend(inout : data)
#pragma omp taskwait
    printf("back: %d %d\n", data[0], data[63]);

    for (int i = 0; i < 8; i++) {
#pragma omp target nowait map(from : results[i : 1]) firstprivate(i)
      results[i] = i * i;
    }
#pragma omp taskwait
    for (int i = 0; i < 8; i++)
      n += results[i];
    printf("squares: %d\n", n);
  }
}
