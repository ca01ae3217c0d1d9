// gcc's code relies on the memory of a variable with an allocate clause: without it the program ends
// with a line.
//#Compilers:gcc
//#Threads:1,2
//#Status:1
//#Stdout:^before\n$
//#Stderr:OMP: Error: .*allocator 0x[0-9a-f]+: 8000 bytes are not to be had\n
//#NotRecorded:the region has no end
//#ReferenceFails:libgomp words it otherwise
#include "check.h"
#include <omp.h>

int main(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    long array[1000];
    puts("before");
    fflush(stdout);
#pragma omp parallel private(array) allocate(pool : array)
    {
        array[omp_get_thread_num()] = 1;
        CHECK(array[0] != 1);
    }
    puts("after");
    return 0;
}
