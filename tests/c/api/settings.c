// What is set can be read back, inside a region it is the task's own, and defaults are sane.
//#Env:OMP_NUM_THREADS=4
//#SameStdoutAs:reference
#include "check.h"
#include <omp.h>

int main(void)
{
    printf("%d %d %d\n", omp_get_max_threads(), omp_get_dynamic(), omp_in_parallel());
    CHECK(omp_get_num_procs() >= 1);
    CHECK(omp_get_thread_limit() >= 4);
    CHECK(omp_get_max_active_levels() >= 1);

    const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    omp_sched_t kind;
    int chunk;
    for (int i = 0; i < 3; i++) {
        omp_set_schedule(kinds[i], 3 + i);
        omp_get_schedule(&kind, &chunk);
        CHECK_EQ((unsigned)kind & 0xff, kinds[i]);
        CHECK_EQ(chunk, 3 + i);
    }
    omp_set_schedule(omp_sched_auto, 1);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0xff, omp_sched_auto);

    omp_set_schedule(omp_sched_dynamic, 11);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(3)
    {
        omp_sched_t mine;
        int size;
        omp_get_schedule(&mine, &size);
        CHECK_EQ((unsigned)mine & 0xff, omp_sched_dynamic);
        CHECK_EQ(size, 11);
        omp_set_schedule(omp_sched_static, 20 + omp_get_thread_num());
        omp_set_num_threads(omp_get_thread_num() + 2);
#pragma omp barrier
        omp_get_schedule(&mine, &size);
        CHECK_EQ(size, 20 + omp_get_thread_num());
        CHECK_EQ(omp_get_max_threads(), omp_get_thread_num() + 2);
    }
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(chunk, 11);
    CHECK_EQ(omp_get_max_threads(), 4);

    omp_set_max_active_levels(2);
    CHECK_EQ(omp_get_max_active_levels(), 2);
    return check_result();
}
