/* Who executes a construct: the device, or the host. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
  int which = argc > 1 ? atoi(argv[1]) : 0, x = 1, *p = &x;
  long place = 0;
#pragma omp target if (which != 1) map(tofrom : x) map(from : place)
  {
    place = (long)&x;
    x = 2;
  }
  printf("if: %s, %d\n", place == (long)&x ? "host" : "device", x);
#pragma omp target device(which) map(tofrom : x) map(from : place)
  {
    place = (long)&x;
    x = 3;
  }
  printf("device %d: %s, %d\n", which, place == (long)&x ? "host" : "device", x);
  omp_set_default_device(which == 2 ? omp_get_initial_device() : 0);
#pragma omp target data map(tofrom : x)
#pragma omp target data if (0) map(tofrom : x)
#pragma omp target data map(tofrom : x)
  {
#pragma omp target map(x) map(from : place)
    place = (long)&x;
  }
  printf("default: %s, %d\n", place == (long)p ? "host" : "device", omp_target_is_present(&x, 0));
}
