/* Variables of declare target directives. A kernel of the test device computes with the host's
   variables, so the device's are looked at by updates and routines. */
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
int scalar = 5;
int array[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static double hidden = 0.5;
#pragma omp end declare target

int linked[16];
#pragma omp declare target link(linked)

int main(void)
{
  int copy = 0, host = omp_get_initial_device(), *there = NULL;
#pragma omp target data use_device_addr(scalar)
  there = &scalar;
  scalar = 6;
#pragma omp target update from(scalar)
  printf("from the device: %d\n", scalar);
  scalar = 7;
#pragma omp target update to(scalar)
  omp_target_memcpy(&copy, there, sizeof copy, 0, 0, host, 0);
  printf("to the device: %d\n", copy);
  array[3] = 40;
#pragma omp target update to(array[3:2])
  array[3] = 0;
#pragma omp target update from(array)
  printf("a section: %d %d\n", array[3], array[0]);
#pragma omp target map(tofrom : scalar)
  scalar = scalar;
  printf("a map clause keeps it: %d\n", omp_target_is_present(&hidden, 0));

  linked[2] = 9;
#pragma omp target data map(tofrom : linked)
  {
    printf("link: %d\n", omp_target_is_present(linked, 0));
    linked[2] = 1;
#pragma omp target update from(linked)
    printf("linked: %d\n", linked[2]);
  }
}
