// What a task knows: ICVs inherited and changed, thread numbers, levels, locks, threadprivate data.
//#Threads:1,2,4
//#ReferenceFails[clang]:libomp's nestable locks belong to threads
#include "check.h"
#include <omp.h>
#include <pthread.h>

static int mine;
#pragma omp threadprivate(mine)

int main(void)
{
    int threads = omp_get_max_threads();
    omp_set_max_active_levels(4);

    // A task inherits the values that its generating task has at that time; its changes are its
    // own.
#pragma omp parallel
#pragma omp single
    {
        omp_set_num_threads(7);
#pragma omp task
        {
            CHECK_EQ(omp_get_max_threads(), 7);
            omp_set_num_threads(9);
            omp_set_dynamic(1);
            omp_set_schedule(omp_sched_guided, 5);
#pragma omp task
            {
                omp_sched_t kind;
                int chunk;
                omp_get_schedule(&kind, &chunk);
                CHECK_EQ(kind, omp_sched_guided);
                CHECK_EQ(chunk, 5);
                CHECK_EQ(omp_get_max_threads(), 9);
                CHECK(omp_get_dynamic());
            }
#pragma omp taskwait
            CHECK_EQ(omp_get_max_threads(), 9);
        }
        omp_set_num_threads(3);
#pragma omp taskwait
        CHECK_EQ(omp_get_max_threads(), 3);
        CHECK(!omp_get_dynamic());
#pragma omp task if (0)
        omp_set_num_threads(11);
        CHECK_EQ(omp_get_max_threads(), 3);
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(i)
            {
                CHECK_EQ(omp_get_max_threads(), 3);
                omp_set_num_threads(i + 1);
#pragma omp taskyield
                CHECK_EQ(omp_get_max_threads(), i + 1);
            }
        }
    }
    CHECK_EQ(omp_get_max_threads(), threads);

    // A tied task stays on its thread, with its number, whatever runs in between.
    pthread_key_t key;
    pthread_key_create(&key, NULL);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(i)
        {
            int number = omp_get_thread_num();
            pthread_t self = pthread_self();
            CHECK_EQ(omp_get_num_threads(), threads);
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_active_level(), threads > 1);
            CHECK_EQ(omp_get_ancestor_thread_num(1), number);
            CHECK_EQ(omp_get_team_size(1), threads);
            for (int j = 0; j < 5; j++) {
#pragma omp task
                mine++;
            }
#pragma omp taskyield
#pragma omp taskwait
            CHECK_EQ(omp_get_thread_num(), number);
            CHECK(pthread_equal(self, pthread_self()));
        }
    }
    int all = 0;
#pragma omp parallel reduction(+ : all)
    all += mine;
    CHECK_EQ(all, 250);

    // Locks belong to tasks.
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    int in_lock = 0, in_critical = 0, count = 0;
#pragma omp parallel
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(in_lock, in_critical, count)
        {
            omp_set_lock(&lock);
            CHECK_EQ(++in_lock, 1);
            in_lock--;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            CHECK_EQ(omp_test_nest_lock(&nest), 3);
            count++;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
#pragma omp critical
            {
                CHECK_EQ(++in_critical, 1);
                in_critical--;
            }
        }
#pragma omp taskwait
    }
    CHECK_EQ(count, 100 * threads);

    // Another task on the same thread is not the owner.
#pragma omp parallel num_threads(1)
    {
        omp_set_nest_lock(&nest);
#pragma omp task if (0)
        CHECK_EQ(omp_test_nest_lock(&nest), 0);
        CHECK_EQ(omp_test_nest_lock(&nest), 2);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
#pragma omp task if (0)
        {
            CHECK_EQ(omp_test_nest_lock(&nest), 1);
            omp_unset_nest_lock(&nest);
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return check_result();
}
