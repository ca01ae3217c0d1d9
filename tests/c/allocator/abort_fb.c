// The fallback that ends the program, and its line.
//#Threads:1,2
//#Status:1
//#Stdout:before\n
//#Stderr:OMP: Error: main\+0x[0-9a-f]+ \([^)]*\): allocator 0x[0-9a-f]+: 5000 bytes are not to be had, and its fallback is omp_atv_abort_fb\n
//#ReferenceFails:libomp aborts
#include "check.h"
#include <omp.h>

int main(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8000}, {omp_atk_fallback, omp_atv_abort_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(omp_alloc(5000, pool));
    puts("before");
    fflush(stdout);
    void *second = omp_alloc(5000, pool);
    puts("after");
    return second != NULL;
}
