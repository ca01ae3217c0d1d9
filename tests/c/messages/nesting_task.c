// KMP_CONSISTENCY_CHECK: what a team shares out is not closely nested in an explicit task, wherever that runs;
// a region in the task has tasks of its own.
//#Flags:-g
//#Opt:-O0
//#Env:OMP_NUM_THREADS=2
//#Env:KMP_CONSISTENCY_CHECK=all
//#Vary:WRONG=single|barrier|masked|sections|worksharing loop
//#Compilers:clang
//#Status:1
//#Stderr:^OMP: Error: \S*nesting_task\.c:\d+:1: (single|barrier|masked|sections|worksharing loop) is wrongly nested in an explicit task\n$
//#Stdout:^right\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:libomp has another text
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static void single(void)
{
#pragma omp single
    __asm__ volatile("");
}

static void barrier(void)
{
#pragma omp barrier
}

static void masked(void)
{
#pragma omp masked
    __asm__ volatile("");
}

static void sections(void)
{
#pragma omp sections
    {
        __asm__ volatile("");
#pragma omp section
        __asm__ volatile("");
    }
}

static void loop(void)
{
#pragma omp for
    for (int i = 0; i < 2; i++)
        __asm__ volatile("");
}

static void all(void)
{
    single();
    barrier();
    masked();
    sections();
    loop();
}

int main(void)
{
    const char *wrong = getenv("WRONG");
    int sum = 0;
#pragma omp parallel
    {
        all();
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(sum)
            {
#pragma omp critical
                sum++;
#pragma omp parallel num_threads(2)
                all();
            }
        }
#pragma omp taskloop
        for (int i = 0; i < 20; i++) {
#pragma omp critical
            sum++;
        }
        all();
    }
    if (sum == 60)
        puts("right");
    fflush(stdout);
#pragma omp parallel
    {
        /* The task of thread 0 is undeferred: only that thread executes the masked region. */
#pragma omp task if (omp_get_thread_num() != 0)
        {
            if (strcmp(wrong, "single") == 0)
                single();
            else if (strcmp(wrong, "barrier") == 0)
                barrier();
            else if (strcmp(wrong, "masked") == 0)
                masked();
            else if (strcmp(wrong, "sections") == 0)
                sections();
            else
                loop();
        }
    }
    return check_result();
}
