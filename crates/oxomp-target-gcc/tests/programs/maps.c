/* Map types, structures, pointers, sections: what regions on a device compute and leave behind. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct list {
  int count;
  int *values;
  double scale;
  int *others;
};

static void sections(void)
{
  int none = 0, *p = malloc(10 * sizeof *p);
  long seen = -1;
  for (int i = 0; i < 10; i++)
    p[i] = i;
#pragma omp target map(p[0:none]) map(from : seen)
  seen = (long)p;
  printf("unmapped section of no elements: %s\n", seen ? "somewhere" : "null");
#pragma omp target enter data map(to : p[2:8])
#pragma omp target map(p[2:none]) map(from : seen)
  seen = p[4];
  printf("mapped section of no elements: %ld\n", seen);
#pragma omp target map(tofrom : p[4:3])
  for (int i = 4; i < 7; i++)
    p[i] *= 10;
  printf("still on the host: %d %d\n", p[4], p[6]);
#pragma omp target update from(p[5:2])
  printf("updated: %d %d %d\n", p[4], p[5], p[6]);
#pragma omp target map(always, from : p[4:1])
  p[4] += 1;
  printf("always: %d\n", p[4]);
  printf("present: %d\n", omp_target_is_present(p + 3, 0));
#pragma omp target exit data map(delete : p[2:8])
  printf("present: %d\n", omp_target_is_present(p + 3, 0));
  free(p);
}

static void structures(void)
{
  struct list s = {3, malloc(3 * sizeof(int)), 2.5, NULL};
  int result = 0;
  for (int i = 0; i < 3; i++)
    s.values[i] = 7 + i;
#pragma omp target map(tofrom : s.count, s.values, s.values[0:3]) map(from : result)
  {
    result = s.values[1] + s.count;
    s.values[2] = result;
    s.count = 11;
  }
  printf("members: %d %d %d\n", result, s.values[2], s.count);
#pragma omp target enter data map(to : s) map(to : s.values[0:3])
#pragma omp target map(from : result) map(s)
  result = s.values[0] + (s.others == NULL);
  printf("attached: %d\n", result);
  s.values[0] = 70;
#pragma omp target update to(s.values[0:1])
#pragma omp target map(from : result) map(s)
  result = s.values[0];
  printf("attached and updated: %d\n", result);
  int *host = s.values;
#pragma omp target update from(s)
  printf("the host keeps its pointer: %d\n", s.values == host);
#pragma omp target exit data map(release : s.values[0:3]) map(from : s)
  printf("the host keeps its pointer: %d\n", s.values == host);
  free(s.values);
}

static void copies(void)
{
  struct {
    int values[100];
  } big;
  int result = 0, small = 5;
  long wide = 1L << 40;
  for (int i = 0; i < 100; i++)
    big.values[i] = i;
#pragma omp target firstprivate(big, small, wide) map(from : result)
  {
    big.values[50] += small++ + (wide >> 40);
    result = big.values[50];
  }
  printf("copies: %d, originals: %d %d\n", result, big.values[50], small);
}

static void regions(void)
{
  int a[4] = {1, 2, 3, 4}, *p = a;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target data map(to : a[1:2])
    {
#pragma omp target map(a)
      a[1] += 10;
      printf("inside: %d\n", a[1]);
    }
    printf("inner end: %d\n", a[1]);
#pragma omp target data use_device_ptr(p)
#pragma omp target is_device_ptr(p)
    p[3] = 44;
  }
  printf("outer end: %d %d\n", a[1], a[3]);
#pragma omp target data map(tofrom : a) use_device_addr(a)
  {
    int *d = &a[0];
#pragma omp target is_device_ptr(d)
    d[0] = 55;
  }
  printf("by address: %d\n", a[0]);
  int none[0];
#pragma omp target data map(none) use_device_addr(none)
#pragma omp target has_device_addr(none)
  ;
}

static void loops(void)
{
  int n = 1000, sum = 0;
  int *v = malloc(n * sizeof *v);
#pragma omp target teams distribute parallel for map(from : v[0:n])
  for (int i = 0; i < n; i++)
    v[i] = i;
#pragma omp target teams distribute parallel for map(to : v[0:n]) reduction(+ : sum) num_teams(3)
  for (int i = 0; i < n; i++)
    sum += v[i];
#pragma omp target parallel for map(tofrom : v[0:n]) thread_limit(2)
  for (int i = 0; i < n; i++)
    v[i] = 2 * v[i];
  printf("sum: %d, last: %d\n", sum, v[n - 1]);
  free(v);
}

int main(void)
{
  printf("devices: %d, default: %d, initial: %d\n", omp_get_num_devices(), omp_get_default_device(),
         omp_get_initial_device());
  sections();
  structures();
  copies();
  regions();
  loops();
}
