// No memory for what the threads of a loop share (gcc), or for a thread's copy of a variable (clang's
// calls): a line with the place and the number of bytes, and status 1.
//#Flags:-g
//#Opt:-O0
//#Env:OMP_NUM_THREADS=2
//#Status:1
//#Stderr[gcc]:^OMP: Error: (want\+0x[0-9a-f]+ \(\S+\)): worksharing: no memory for 1125899906842624 bytes that the threads of a loop share\n$
//#Stderr[clang]:^OMP: Error: no memory: 1125899906842624 bytes are not to be had, in __kmpc_threadprivate_cached called at \S+\+0x[0-9a-f]+\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:another text, or a crash
#include <stddef.h>
#include <stdint.h>

enum { LARGE_SHIFT = 50 };

#ifdef __clang__
extern void *__kmpc_threadprivate_cached(void *, int32_t, void *, size_t, void ***);
extern int32_t __kmpc_global_thread_num(void *);
static void **cache;
static int variable;

static void want(void)
{
    int32_t thread = __kmpc_global_thread_num(NULL);
    __kmpc_threadprivate_cached(NULL, thread, &variable, (size_t)1 << LARGE_SHIFT, &cache);
}
#else
#include <stdbool.h>
extern bool GOMP_loop_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);

static void want(void)
{
    long start, end;
    void *memory = (void *)((uintptr_t)1 << LARGE_SHIFT);
    GOMP_loop_start(0, 10, 1, 2, 1, &start, &end, NULL, &memory);
}
#endif

int main(void)
{
#pragma omp parallel
    want();
    return 0;
}
