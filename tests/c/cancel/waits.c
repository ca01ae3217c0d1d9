// Threads of a cancelled region wait for nobody who has left it: not for a turn in an ordered loop,
// a source of a doacross loop, the slot of a loop far ahead, the partial result of a reduction, nor
// the data of copyprivate. The next region is complete.
//#Threads:2,4,9
//#Env:OMP_CANCELLATION=true
//#Flags[gcc]:-Wno-error
//#Timeout:60
//#ReferenceFails:both references wait for ever, or their next region is not complete
#include "check.h"
#include <omp.h>

static int complete(void)
{
    int sum = 0, last = 0;
#pragma omp parallel reduction(+ : sum) shared(last)
    {
        for (int round = 0; round < 12; round++) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 20; i++)
                sum += 1;
        }
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 20; i++)
#pragma omp ordered
            last = i;
    }
    return sum == 240 && last == 19;
}

// Called functions: the compiler does not know that they are in a cancelled region.
__attribute__((noinline)) static void ordered_loop(int stays)
{
    int me = omp_get_thread_num();
#pragma omp for ordered schedule(static, 1) nowait
    for (int i = 0; i < 64; i++) {
        if (!stays && me == 0)
            continue;
#pragma omp ordered
        __asm__ volatile("" ::: "memory");
    }
}

__attribute__((noinline)) static void doacross_loop(void)
{
#pragma omp for ordered(1) schedule(static, 1) nowait
    for (int i = 0; i < 64; i++) {
#pragma omp ordered depend(sink : i - 1)
        __asm__ volatile("" ::: "memory");
#pragma omp ordered depend(source)
    }
}

__attribute__((noinline)) static void many_loops(void)
{
    for (int round = 0; round < 40; round++) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 4; i++)
            __asm__ volatile("" ::: "memory");
    }
}

__attribute__((noinline)) static void sum_of_team(int *sum)
{
    static int mine, other, third;
#pragma omp for reduction(+ : mine, other, third) nowait
    for (int i = 0; i < 100; i++)
        mine += 1, other += 2, third += 3;
#pragma omp atomic read
    *sum = mine;
}

__attribute__((noinline)) static int published(int value)
{
#pragma omp single copyprivate(value)
    value += 1;
    return value;
}

// The others are in the function, or come there, when thread 0 leaves the region.
#define CANCELLED(call)                                                                            \
    do {                                                                                           \
        _Pragma("omp parallel")                                                                    \
        {                                                                                          \
            if (omp_get_thread_num() == 0) {                                                       \
                _Pragma("omp cancel parallel")                                                     \
            }                                                                                      \
            call;                                                                                  \
            for (;;) {                                                                             \
                _Pragma("omp cancellation point parallel")                                         \
            }                                                                                      \
        }                                                                                          \
        CHECK(complete());                                                                         \
    } while (0)

int main(void)
{
    for (int round = 0; round < 30; round++) {
        CANCELLED(ordered_loop(round % 2));
        CANCELLED(doacross_loop());
        CANCELLED(many_loops());
        CANCELLED(int sum = 0; sum_of_team(&sum); (void)sum);
        CANCELLED(int value = published(3); CHECK(value == 3 || value == 4));
    }
    return check_result();
}
