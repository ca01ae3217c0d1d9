// With KMP_CONSISTENCY_CHECK a wrong free ends the program.
//#Threads:1
//#Env:KMP_CONSISTENCY_CHECK=all
//#Status:1
//#Flags[gcc]:-Wno-use-after-free
//#Stderr:OMP: Error: .*omp_free: 0x[0-9a-f]+ is no block of an allocator, or has been freed before\n
//#ReferenceFails:other runtimes free it twice
#include <omp.h>
#include <stdio.h>

int main(void)
{
    void *volatile block = omp_alloc(100, omp_default_mem_alloc);
    omp_free(block, omp_default_mem_alloc);
    omp_free(block, omp_default_mem_alloc);
    puts("not reached");
    return 0;
}
