/* Threads share no cache line all the time: arrays of which each thread has its part, or takes one
 * element after the other; tables that are only read; sums of their own; a line that one thread
 * uses in one region and another one in the next; and data that one thread after the other uses, in
 * a critical region, between two barriers, or in tasks that wait for each other. */
#include <omp.h>
#include <stdlib.h>

#include "clock.h"

enum { LENGTH = 1 << 20, REPEATS = 40, STEPS = 20000000, TABLE = 8, HANDED = 40, LONG = 8 };

static double table[TABLE] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
static volatile double sum_of_all, handed, parts[2], guarded, in_turns, chained;

static void arrays(double *values)
{
    for (int repeat = 0; repeat < REPEATS; repeat++) {
#pragma omp parallel for num_threads(2) schedule(static)
        for (int element = 0; element < LENGTH; element++)
            values[element] = values[element] * 0.999 + 0.5;
    }
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
    for (int element = 0; element < LENGTH; element++)
        values[element] = values[element] * 0.999 + 0.5;
}

static void sums(void)
{
    double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int step = 0; step < STEPS; step++)
        sum += table[step % TABLE];
#pragma omp parallel num_threads(2)
    {
        volatile double own = 0;
        for (int step = 0; step < STEPS; step++)
            own += table[step % TABLE];
#pragma omp atomic
        sum += own;
    }
    sum_of_all = sum;
}

/* Of some executions of a region one thread writes the variable for as long as they last. */
static void hand_on(void)
{
    for (int turn = 0; turn < HANDED; turn++) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == turn % 2) {
            for (int step = 0; step < STEPS / HANDED; step++)
                handed += 0.5;
        }
    }
    for (int turn = 0; turn < LONG; turn++) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == turn % 2) {
            for (int step = 0; step < STEPS; step++)
                parts[omp_get_thread_num()] += 0.5;
        }
    }
}

/* In one region the threads have the variables one after the other. */
static void one_after_the_other(void)
{
#pragma omp parallel num_threads(2)
    {
        for (int turn = 0; turn < HANDED; turn++) {
#pragma omp critical
            for (int step = 0; step < STEPS / HANDED; step++)
                guarded += 0.5;
        }
        for (int turn = 0; turn < LONG; turn++) {
            if (omp_get_thread_num() == turn % 2)
                for (int step = 0; step < STEPS; step++)
                    in_turns += 0.5;
#pragma omp barrier
        }
#pragma omp single
        for (int turn = 0; turn < 2 * HANDED; turn++) {
#pragma omp task depend(inout : chained)
            for (int step = 0; step < STEPS / HANDED / 2; step++)
                chained += 0.5;
        }
    }
}

int main(void)
{
    double *values = calloc(LENGTH, sizeof *values);
    arrays(values);
    sums();
    hand_on();
    one_after_the_other();
    print_fact("done", values[0] > 0 && sum_of_all > 0 && handed > 0 && parts[0] > 0);
    free(values);
    return 0;
}
