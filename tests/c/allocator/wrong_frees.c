// Freeing twice, what is not a block, and with another allocator: one line for each call, nothing is
// corrupted, and the program goes on.
//#Opt:-O0,-O2
//#Threads:1
//#Flags[gcc]:-Wno-free-nonheap-object -Wno-use-after-free -Wno-mismatched-dealloc
//#Stderr:omp_free: 0x[0-9a-f]+ is no block of an allocator, or has been freed before; it is not freed\n
//#Stderr:omp_free: 0x[0-9a-f]+ was allocated by omp_const_mem_alloc, not by omp_thread_mem_alloc; the block's own allocator is used\n
//#Stderr:omp_free: 0x[0-9a-f]+ was allocated by omp_const_mem_alloc, not by allocator 0x400; the block's own allocator is used\n
//#Stderr:omp_realloc: 0x[0-9a-f]+ is no block of an allocator, or has been freed before; nothing is allocated\n
//#Stderr:omp_realloc: 0x[0-9a-f]+ was allocated by omp_default_mem_alloc, not by omp_const_mem_alloc; the block's own allocator is used\n
//#Stdout:^17 lines\n$
//#ReferenceFails:other runtimes corrupt the heap
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Lines on standard error are counted in a file, and then shown.
static int lines_of(FILE *file)
{
    char buffer[1 << 16];
    rewind(file);
    size_t length = fread(buffer, 1, sizeof buffer, file);
    int lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += buffer[i] == '\n';
    fwrite(buffer, 1, length, stderr);
    return lines;
}

int main(void)
{
    FILE *file = tmpfile();
    int own = dup(2);
    dup2(fileno(file), 2);
    static char data[64] __attribute__((aligned(32)));
    char *volatile stack = (char *)__builtin_alloca(128);

    // Large and small blocks, twice: the memory of large ones has been unmapped.
    char *volatile small = omp_alloc(40, omp_default_mem_alloc);
    omp_free(small, omp_default_mem_alloc);
    omp_free(small, omp_default_mem_alloc); // 1
    char *volatile large = omp_alloc(8 << 20, omp_default_mem_alloc);
    omp_free(large, omp_null_allocator);
    omp_free(large, omp_null_allocator); // 2

    // Not ours.
    char *volatile heap = malloc(100);
    memset(heap, 7, 100);
    omp_free(heap, omp_default_mem_alloc);      // 3
    omp_free(heap + 16, omp_default_mem_alloc); // 4
    omp_free(data, omp_null_allocator);         // 5
    omp_free(stack, omp_null_allocator);        // 6
    char *volatile page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    omp_free(page, omp_null_allocator); // 7: before it may be nothing
    munmap(page, 4096);
    omp_free(page, omp_null_allocator);                 // 8
    omp_free((void *)(uintptr_t)16, omp_null_allocator); // 9
    omp_free((void *)(UINTPTR_MAX - 15), omp_null_allocator); // 10
    for (int i = 0; i < 100; i++)
        CHECK(heap[i] == 7);
    free(heap);

    // Into a block, at every offset: one call.
    char *volatile block = omp_alloc(64, omp_const_mem_alloc);
    memset(block, 9, 64);
    for (int i = 1; i < 100; i++)
        omp_free(block + i, omp_const_mem_alloc); // 11
    for (int i = 0; i < 64; i++)
        CHECK(block[i] == 9);

    // Another allocator.
    omp_free(block, omp_thread_mem_alloc); // 12
    block = omp_alloc(64, omp_const_mem_alloc);
    omp_free(block, (omp_allocator_handle_t)(uintptr_t)0x123456789abcd); // 13

    // The same for omp_realloc.
    CHECK(!omp_realloc(small, 80, omp_null_allocator, omp_null_allocator)); // 14
    CHECK(!omp_realloc(data, 80, omp_default_mem_alloc, omp_default_mem_alloc)); // 15
    block = omp_alloc(64, omp_default_mem_alloc);
    strcpy(block, "kept");
    block = omp_realloc(block, 1000, omp_default_mem_alloc, omp_const_mem_alloc); // 16
    CHECK(!strcmp(block, "kept"));
    CHECK(!omp_realloc(small, 0, omp_null_allocator, omp_null_allocator)); // 17
    omp_free(block, omp_default_mem_alloc);

    // The heap is whole.
    void *all[1000];
    for (int i = 0; i < 1000; i++)
        memset(all[i] = omp_alloc(1 + i % 200, omp_default_mem_alloc), i, 1 + i % 200);
    for (int i = 0; i < 1000; i++)
        omp_free(all[i], omp_default_mem_alloc);
    dup2(own, 2);
    printf("%d lines\n", lines_of(file));
    return check_result();
}
