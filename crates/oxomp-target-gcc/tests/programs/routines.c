/* Routines for device memory. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
  int host = omp_get_initial_device(), a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {0}, c[4] = {0};
  int *d = omp_target_alloc(sizeof a, 0), *e = omp_target_alloc(sizeof a, 0);
  printf("memory: %d\n", d && e);
  printf("copy: %d\n", omp_target_memcpy(d, a, sizeof a, 0, 0, 0, host));
  printf("copy: %d\n", omp_target_memcpy(e, d, 12, 0, 4, 0, 0));
  printf("copy: %d\n", omp_target_memcpy(b, e, 12, 4, 0, host, 0));
  printf("%d %d %d %d\n", b[0], b[1], b[2], b[3]);
  size_t volume[2] = {2, 2}, to[2] = {0, 0}, from[2] = {0, 1}, to_size[2] = {2, 2},
         from_size[2] = {2, 3};
  printf("rectangle: %d\n", omp_target_memcpy_rect(c, d, sizeof(int), 2, volume, to, from, to_size,
                                                  from_size, host, 0));
  printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
  printf("associate: %d\n", omp_target_associate_ptr(a, d, sizeof a, 0, 0));
  printf("present: %d\n", omp_target_is_present(a + 2, 0));
#pragma omp target map(tofrom : a)
  a[2] = 33;
#pragma omp target update from(a[2:1])
  printf("associated: %d\n", a[2]);
  printf("disassociate: %d\n", omp_target_disassociate_ptr(a, 0));
  printf("present: %d\n", omp_target_is_present(a, 0));
  omp_target_free(d, 0);
  omp_target_free(e, 0);
  printf("no device: %d %d\n", omp_target_alloc(8, 7) == NULL, omp_target_is_present(a, 7));
}
