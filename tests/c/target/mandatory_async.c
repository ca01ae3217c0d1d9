// OMP_TARGET_OFFLOAD=mandatory: the message about a device that is not there names the routine that the
// program has called, also one that generates a target task.
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#Env:OMP_TARGET_OFFLOAD=mandatory
//#Vary:ROUTINE=memcpy|rect|memset
//#Status:1
//#Stderr:OMP: Error: main\+0x[0-9a-f]+ \(\S+\): omp_target_(memcpy|memcpy_rect|memset)_async: device 2 is not available, and OMP_TARGET_OFFLOAD=mandatory forbids the host
//#ReferenceFails:libgomp 12 and libomp do not have them
#include <omp.h>
#include <stdlib.h>
#include <string.h>

// Weak, and without the version of either compiler: their own runtimes do not have them.
extern int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int,
                                   omp_depend_t *) __attribute__((weak));
extern int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *, const size_t *,
                                        const size_t *, const size_t *, const size_t *, int, int, int,
                                        omp_depend_t *) __attribute__((weak));
extern void *omp_target_memset_async(void *, int, size_t, int, int, omp_depend_t *) __attribute__((weak));

int main(void)
{
    int host = omp_get_initial_device();
    char from[8] = "", to[8];
    size_t one = 1, zero = 0;
    const char *routine = getenv("ROUTINE");
    if (strcmp(routine, "memcpy") == 0)
        omp_target_memcpy_async(to, from, 8, 0, 0, host, 2, 0, NULL);
    else if (strcmp(routine, "rect") == 0)
        omp_target_memcpy_rect_async(to, from, 1, 1, &one, &zero, &zero, &one, &one, 2, host, 0, NULL);
    else
        omp_target_memset_async(to, 0, 8, 2, 0, NULL);
    return 0;
}
