// OMP_TARGET_OFFLOAD=mandatory: a routine for device memory ends the program if there is no such device.
//#Compilers:gcc
//#Env:OMP_TARGET_OFFLOAD=mandatory
//#Vary:ROUTINE=alloc|free|memcpy|rect|associate
//#Status:1
//#Stderr:OMP: Error: main\+0x[0-9a-f]+ \(\S+\): omp_target_(alloc|free|memcpy|memcpy_rect|associate_ptr): device 2 is not available, and OMP_TARGET_OFFLOAD=mandatory forbids the host
//#ReferenceFails:libgomp 12 has another message
#include <omp.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int host = omp_get_initial_device();
    char bytes[8] = "";
    size_t one = 1, zero = 0;
    void *memory = omp_target_alloc(8, host);
    const char *routine = getenv("ROUTINE");
    if (strcmp(routine, "alloc") == 0)
        memory = omp_target_alloc(8, 2);
    else if (strcmp(routine, "free") == 0)
        omp_target_free(memory, 2);
    else if (strcmp(routine, "memcpy") == 0)
        omp_target_memcpy(memory, bytes, 8, 0, 0, host, 2);
    else if (strcmp(routine, "rect") == 0)
        omp_target_memcpy_rect(memory, bytes, 1, 1, &one, &zero, &zero, &one, &one, 2, host);
    else
        omp_target_associate_ptr(bytes, memory, 8, 0, 2);
    return 0;
}
