// A proc_bind clause holds for its region, and bind-var for the next again.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=primary
//#Env:OMP_NUM_THREADS=2
//#NoStderr
#include "bound.h"

static int on_own_place, partitions, count;

static void look(void)
{
    int alone = check_bound() == omp_get_thread_num();
#pragma omp atomic
    on_own_place += alone;
#pragma omp atomic
    partitions += omp_get_partition_num_places();
#pragma omp atomic
    count++;
}

// Two threads have looked; `apart`: each on a place of its own.
static void expect(int apart, int all_partitions)
{
    CHECK_EQ(count, 2);
    CHECK_EQ(on_own_place, apart ? 2 : 1);
    CHECK_EQ(partitions, all_partitions);
    on_own_place = partitions = count = 0;
}

int main(void)
{
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        look();
        expect(0, 4);
#pragma omp parallel proc_bind(spread)
        look();
        expect(1, 2);
#pragma omp parallel proc_bind(close)
        look();
        expect(1, 4);
#pragma omp parallel num_threads(2) proc_bind(master)
        look();
        expect(0, 4);
#pragma omp parallel for proc_bind(spread) schedule(static, 1)
        for (int i = 0; i < 2; i++)
            look();
        expect(1, 2);
#pragma omp parallel for proc_bind(spread) schedule(dynamic)
        for (int i = 0; i < 2; i++)
            CHECK_EQ(check_bound(), omp_get_thread_num());
#pragma omp parallel for proc_bind(close) schedule(runtime)
        for (int i = 0; i < 2; i++)
            CHECK_EQ(check_bound(), omp_get_thread_num());
#pragma omp parallel sections proc_bind(spread)
        {
#pragma omp section
            CHECK_EQ(check_bound(), omp_get_thread_num());
#pragma omp section
            CHECK_EQ(check_bound(), omp_get_thread_num());
        }
#pragma omp parallel if (0) proc_bind(spread)
        CHECK_EQ(omp_get_partition_num_places(), 2);
#pragma omp parallel
        look();
        expect(0, 4);
    }
    return check_result();
}
