/* Short regions around pauses: one that begins in a region inside a short region, on either thread,
 * and ends outside all regions; and one that begins and ends in a short region. The program times
 * every region that it wants recorded, without the pauses in it. */
#include <dlfcn.h>
#include <omp.h>

#include "burn.h"

enum { CYCLES = 40, TIMES_OUTER = 200, TIMES_WORK = 500, TIMES_ACROSS = 250, PAUSE = 3000000 };

static int (*control)(int, int, void *);

/* The thread `pausing` of the region pauses the recording in a region inside. */
static int64_t outer(long steps, int pausing)
{
    int64_t begin = now_ns(), end = 0;
#pragma omp parallel num_threads(2)
    {
        burn(steps);
        int thread = omp_get_thread_num();
#pragma omp parallel num_threads(1)
        if (thread == pausing) {
            end = now_ns();
            control(2, 0, NULL);
        }
    }
    return (pausing < 0 ? now_ns() : end) - begin;
}

static int64_t work(long steps)
{
    int64_t begin = now_ns();
#pragma omp parallel num_threads(2)
    burn(steps);
    return now_ns() - begin;
}

static void unseen(long steps)
{
#pragma omp parallel num_threads(2)
    {
        burn(steps);
#pragma omp parallel num_threads(1)
        burn(steps);
    }
}

/* The primary thread pauses in the region for so long. */
static int64_t across(long steps, int64_t pause)
{
    int64_t begin = now_ns(), paused = 0;
#pragma omp parallel num_threads(2)
    {
        burn(steps);
        if (pause > 0 && omp_get_thread_num() == 0) {
            int64_t from = now_ns();
            control(2, 0, NULL);
            paused = spin_until(from + pause) - from;
            control(1, 0, NULL);
        }
    }
    return now_ns() - begin - paused;
}

int main(void)
{
    /* gcc 12 does not declare omp_control_tool, and its libgomp does not have it. */
    control = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    if (control == NULL)
        return 1;
    omp_set_max_active_levels(2);
    long steps = burn_steps(10) / 2500;
    int64_t of_outer = 0, of_work = 0, of_across = 0;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        for (int time = 1; time <= TIMES_OUTER; time++)
            of_outer += outer(steps, time == TIMES_OUTER ? cycle % 2 : -1);
        int64_t from = now_ns();
        for (int time = 0; time < 7; time++)
            unseen(steps);
        spin_until(from + PAUSE);
        control(1, 0, NULL);
        for (int time = 0; time < TIMES_WORK; time++)
            of_work += work(steps);
        for (int time = 1; time <= TIMES_ACROSS; time++)
            of_across += across(steps, time == TIMES_ACROSS ? PAUSE : 0);
    }
    print_fact("outer_times", CYCLES * TIMES_OUTER);
    print_fact("outer", of_outer);
    print_fact("work_times", CYCLES * TIMES_WORK);
    print_fact("work", of_work);
    print_fact("across_times", CYCLES * TIMES_ACROSS);
    print_fact("across", of_across);
    print_fact("paused", 2 * CYCLES * (int64_t)PAUSE);
    return 0;
}
