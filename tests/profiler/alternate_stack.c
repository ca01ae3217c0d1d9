/* The first thread installs an alternate signal stack of 2 KiB, which
 * sigaltstack(2) takes though the registers of a signal may have no room there, and then, in the
 * last part, one that is large enough. Each part takes 60 ms of processor time. */
#define _GNU_SOURCE
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "helper.h"

enum { PART_NS = 60000000, SMALL = 2048, LARGE = 65536 };

static char small[SMALL] __attribute__((aligned(64)));
static char large[LARGE] __attribute__((aligned(64)));

static void install(void *memory, size_t size)
{
    stack_t stack = { .ss_sp = memory, .ss_size = size };
    if (sigaltstack(&stack, NULL) != 0) {
        perror("sigaltstack");
        exit(1);
    }
}

static void work(void)
{
    int64_t end = cpu_ns() + PART_NS;
    while (cpu_ns() < end)
        spin_until(now_ns() + 1000000);
}

/* The comments keep the compiler from making one function of both. */
__attribute__((noinline)) static void on_small(void)
{
    work();
    __asm__ volatile("# small");
}

__attribute__((noinline)) static void on_large(void)
{
    work();
    __asm__ volatile("# large");
}

int main(void)
{
    /* The runtime starts now. */
#pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
    install(small, SMALL);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        on_small();
    await_helper();
    install(large, LARGE);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        on_large();
    return 0;
}
