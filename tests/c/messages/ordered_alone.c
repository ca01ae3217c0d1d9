// An ordered region outside a loop with that clause, and a second one in an iteration: told once each, and
// executed.
//#Flags:-g -fno-inline
//#Env:OMP_NUM_THREADS=2
//#Stderr:OMP: Warning: alone\+0x[0-9a-f]+ \(\S+\): ordered: not in a loop with an ordered clause; it is executed out of order\n
//#Stderr:OMP: Warning: unordered\+0x[0-9a-f]+ \(\S+\): ordered: not in a loop with an ordered clause; it is executed out of order\n
//#Stderr:OMP: Warning: second\+0x[0-9a-f]+ \(\S+\): ordered: the iteration has had its ordered region; it is executed out of order\n
//#Stderr:^(.*\n){3}$
//#NotRecorded:such regions have no rules
//#ReferenceFails:the reference says nothing, or hangs
#include "check.h"

static int count[4];

#define COUNT(at)                                                                                  \
    _Pragma("omp atomic") count[at]++;                                                             \
    __asm__ volatile("")

static void alone(void)
{
#pragma omp ordered
    COUNT(0);
}

static void unordered(void)
{
#pragma omp ordered
    COUNT(1);
}

static void first(void)
{
#pragma omp ordered
    COUNT(2);
}

static void second(void)
{
#pragma omp ordered
    COUNT(3);
}

int main(void)
{
#pragma omp parallel
    {
        alone();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++)
            unordered();
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 10; i++) {
            first();
            second();
        }
#pragma omp for ordered schedule(static)
        for (int i = 0; i < 10; i++)
            first();
    }
    CHECK_EQ(count[0], 2);
    CHECK_EQ(count[1], 10);
    CHECK_EQ(count[2], 20);
    CHECK_EQ(count[3], 10);
    return check_result();
}
