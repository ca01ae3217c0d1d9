// Many small blocks are freed, so that the heap gives its memory back to the system, and then freed
// again: the memory is gone, and nothing reads there.
//#Threads:1
//#Stderr:omp_free: 0x[0-9a-f]+ is no block of an allocator, or has been freed before; it is not freed\n
//#Flags[gcc]:-Wno-use-after-free
//#ReferenceFails:other runtimes read memory that is gone
#include "check.h"
#include <malloc.h>
#include <omp.h>
#include <stdlib.h>

enum { BLOCKS = 20000 };
static void *blocks[BLOCKS];

int main(void)
{
    for (int i = 0; i < BLOCKS; i++)
        CHECK((blocks[i] = omp_alloc(1000, omp_default_mem_alloc)));
    for (int i = 0; i < BLOCKS; i++)
        omp_free(blocks[i], omp_default_mem_alloc);
    CHECK(malloc_trim(0));
    for (int i = 0; i < BLOCKS; i++)
        omp_free(blocks[i], omp_default_mem_alloc);
    void *again = omp_alloc(1000, omp_default_mem_alloc);
    CHECK(again);
    omp_free(again, omp_default_mem_alloc);
    return check_result();
}
