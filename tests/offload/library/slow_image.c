//#Part:of constructors.c
// A library with an image that has a constructor. It asks which device executes it, and takes its time:
// meanwhile other threads want the loader.
#include <omp.h>
#include <unistd.h>

#pragma omp begin declare target
int built;

__attribute__((constructor)) static void build(void)
{
    built = omp_get_device_num() + 1000;
    usleep(2000);
}
#pragma omp end declare target

int image_built(void)
{
    int value = 0;
#pragma omp target map(from : value)
    value = built;
    return value;
}
