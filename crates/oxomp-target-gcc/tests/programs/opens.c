/* Opens a library that offloads, twice, and closes it. */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  int here = 1;
  for (int i = 0; i < 2; i++) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*triple)(int) = library ? (int (*)(int))dlsym(library, "triple") : NULL;
    if (!triple)
      return 1;
    printf("%d %d\n", triple(7), omp_get_num_devices());
#pragma omp target map(tofrom : here)
    here++;
    dlclose(library);
  }
  printf("%d\n", here);
}
