// An alignment that is no power of two: null and one line. 0 asks for none.
//#Threads:1
//#Stderr:omp_aligned_alloc: the alignment 24 is not a power of two; nothing is allocated\n
//#Stderr:omp_aligned_calloc: the alignment 48 is not a power of two; nothing is allocated\n
//#ReferenceFails:the specification leaves the behaviour open
#include "check.h"
#include <omp.h>

int main(void)
{
    volatile size_t none = 0, wrong = 24;
    CHECK(!omp_aligned_alloc(wrong, 100, omp_default_mem_alloc));
    CHECK(!omp_aligned_calloc(2 * wrong, 1, 100, omp_null_allocator));
    void *block = omp_aligned_alloc(none, 100, omp_default_mem_alloc);
    CHECK(block);
    omp_free(block, omp_default_mem_alloc);
    return check_result();
}
