// Routines called with what they cannot take: one line for each routine, with the first place, and the
// call has no effect.
//#Flags:-fno-inline
//#Opt:-O0,-O2
//#Env:OMP_NUM_THREADS=3
//#Stderr:^OMP: Warning: threads[.\w]*\+0x[0-9a-f]+ \(\S+\): omp_set_num_threads: num_threads 0 is not positive; call ignored\n
//#Stderr:\nOMP: Warning: levels[.\w]*\+0x[0-9a-f]+ \(\S+\): omp_set_max_active_levels: max_levels -1 is not [^\n]*; call ignored\n
//#Stderr:\nOMP: Warning: schedule[.\w]*\+0x[0-9a-f]+ \(\S+\): omp_set_schedule: kind 77 is not a schedule; call ignored\n
//#Stderr:^(.*\n){3}$
//#ReferenceFails:libgomp says nothing and takes 1 for 0 threads, libomp has another text
#include "check.h"
#include <omp.h>

static void threads(int number)
{
    omp_set_num_threads(number);
    __asm__ volatile("");
}

static void levels(int number)
{
    omp_set_max_active_levels(number);
    __asm__ volatile("");
}

static void schedule(int kind)
{
    omp_set_schedule((omp_sched_t)kind, 5);
    __asm__ volatile("");
}

int main(void)
{
    omp_sched_t before, after;
    int chunk_before, chunk_after, active_levels = omp_get_max_active_levels();
    omp_get_schedule(&before, &chunk_before);
    for (int round = 0; round < 3; round++) {
        threads(round ? -round : 0);
        levels(-1);
        schedule(77);
    }
    omp_get_schedule(&after, &chunk_after);
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(omp_get_max_active_levels(), active_levels);
    CHECK_EQ(after, before);
    CHECK_EQ(chunk_after, chunk_before);
    return check_result();
}
