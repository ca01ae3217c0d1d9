// Iterations that are counted once: of a distribute, whose teams share them, also around a region
// with a loop of its own; of a taskloop, which any one thread may execute.

#include <omp.h>

#include "clock.h"

enum { LEAGUES = 3, TIMES = 5, ITERATIONS = 1000, TASKS = 300 };

static double values[ITERATIONS];

__attribute__((noinline)) static void plain(void) {
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp distribute
    for (int i = 0; i < ITERATIONS; i++)
        values[i] += i;
}

__attribute__((noinline)) static void around_a_loop(void) {
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2)
    for (int i = 0; i < ITERATIONS; i++)
        values[i] += i;
}

__attribute__((noinline)) static void tasks_of_thread(int executing) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == executing) {
#pragma omp taskloop grainsize(10)
        for (int i = 0; i < TASKS; i++)
            values[i] += i;
    }
}

__attribute__((noinline)) static void tasks_of_single(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskloop grainsize(10)
        for (int i = 0; i < TASKS; i++)
            values[i] += i;
    }
}

int main(void) {
    for (int league = 0; league < LEAGUES; league++) {
        plain();
        around_a_loop();
    }
    for (int time = 0; time < TIMES; time++) {
        tasks_of_thread(time % 2);
        tasks_of_single();
    }
    print_fact("leagues", 2 * LEAGUES);
    print_fact("distributed", 2 * LEAGUES * ITERATIONS);
    print_fact("in_tasks", 2 * TIMES * TASKS);
    print_fact("singles", TIMES);
    return values[2] > 0 ? 0 : 1;
}
