// Calls whose _Bool argument has something in the bytes of its register that the ABI gives no
// meaning: gcc's code leaves there what was there before. Declared here with an int, the calls get
// these bytes from us.
//#Compilers:gcc
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_CANCELLATION=true
//#ReferenceFails:libgomp expects a target region around GOMP_teams4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdbool.h>

enum { GARBAGE = 0x5a00, PARALLEL = 1, NO = GARBAGE, YES = GARBAGE + 1 };

extern bool GOMP_cancel(int, int);
extern void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, int, unsigned,
                      void **, int, void *);
extern bool GOMP_loop_ull_static_start(int, unsigned long long, unsigned long long,
                                       unsigned long long, unsigned long long,
                                       unsigned long long *, unsigned long long *);
extern void GOMP_loop_end_nowait(void);
extern bool GOMP_teams4(unsigned, unsigned, unsigned, int);

static int ran;

static void body(void *data)
{
    (void)data;
    ran++;
}

int main(void)
{
    int cancelled = 0, passed = 0;
#pragma omp parallel reduction(+ : passed)
    {
        if (GOMP_cancel(PARALLEL, NO))
            passed -= 100;
        passed++;
    }
    CHECK_EQ(passed, 2);
#pragma omp parallel reduction(+ : cancelled)
    cancelled += GOMP_cancel(PARALLEL, YES);
    CHECK_EQ(cancelled, 2);

    // Undeferred tasks are complete when the call returns.
#pragma omp parallel
#pragma omp single
    for (int task = 1; task <= 100; task++) {
        GOMP_task(body, NULL, NULL, 0, 1, NO, 0, NULL, 0, NULL);
        CHECK_EQ(ran, task);
    }

    // The loop counts down from 9 to 1: its step is -1 as an unsigned number.
    unsigned long long from = 0, to = 0;
    CHECK(GOMP_loop_ull_static_start(NO, 9, 0, -1, 0, &from, &to));
    CHECK_EQ((long)from, 9);
    CHECK_EQ((long)to, 0);
    GOMP_loop_end_nowait();
    CHECK(GOMP_loop_ull_static_start(YES, 0, 10, 1, 0, &from, &to));
    CHECK_EQ((long)from, 0);
    CHECK_EQ((long)to, 10);
    GOMP_loop_end_nowait();

    int teams = 0;
    for (bool goes_on = GOMP_teams4(3, 3, 0, YES); goes_on; goes_on = GOMP_teams4(3, 3, 0, NO))
        teams++;
    CHECK_EQ(teams, 3);
    return check_result();
}
