// Threads of nested regions wait in each way that there is, while a debugger looks: for a critical, a
// lock, a nestable lock, an ordered region, in a barrier, idle. By itself the program just ends.
//#Vary:OMP_DEBUG=disabled|enabled
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static int held[4];

static void await(int which)
{
    while (!__atomic_load_n(&held[which], __ATOMIC_ACQUIRE))
        usleep(1000);
}

static void *visitor(void *unused)
{
    (void)unused;
#pragma omp parallel num_threads(1)
    CHECK_EQ(omp_get_level(), 1);
    return NULL;
}

// Thread 0 holds the critical, 1 waits for it, 2 is in the barrier.
static void first_team(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(held_by_first)
            {
                fact("holder", NULL, FRAME);
                __atomic_store_n(&held[0], 1, __ATOMIC_RELEASE);
                wait_for_reader();
            }
        } else if (omp_get_thread_num() == 1) {
            await(0);
            fact("critical", NULL, FRAME);
#pragma omp critical(held_by_first)
            CHECK_EQ(go_on, 1);
        } else {
            omp_set_num_threads(9);
            fact("barrier", NULL, FRAME);
        }
#pragma omp barrier
        // So that the barrier is called from here, and not jumped to.
        CHECK_EQ(omp_get_level(), 2);
    }
}

// Thread 0 holds the locks, 1 waits for the one and 2 for the other. Both change variables.
static void second_team(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            omp_set_nest_lock(&nest_lock);
            fact("holder", NULL, FRAME);
            __atomic_store_n(&held[1], 1, __ATOMIC_RELEASE);
            wait_for_end();
            omp_unset_nest_lock(&nest_lock);
            omp_unset_lock(&lock);
        } else if (omp_get_thread_num() == 1) {
            await(1);
            omp_set_num_threads(7);
            omp_set_schedule(omp_sched_dynamic, 5);
            omp_set_dynamic(1);
            fact("lock", &lock, FRAME);
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
        } else {
            await(1);
            omp_set_max_active_levels(5);
            omp_set_default_device(3);
            fact("nest_lock", &nest_lock, FRAME);
            omp_set_nest_lock(&nest_lock);
            omp_unset_nest_lock(&nest_lock);
        }
    }
}

// Thread 0 is in an ordered region, 1 waits for its turn, 2 has no iteration and waits at the end.
static void third_team(void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            await(2);
        fact(i == 0 ? "holder" : "ordered", NULL, FRAME);
#pragma omp ordered
        {
            if (i == 0) {
                __atomic_store_n(&held[2], 1, __ATOMIC_RELEASE);
                wait_for_end();
            }
        }
    }
}

static void be_visited(void)
{
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, visitor, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
}

int main(void)
{
    // Before the main thread is known, which then takes over what this one leaves, and after.
    be_visited();
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    omp_set_max_active_levels(3);
    // Two of its threads have nothing to do later.
#pragma omp parallel num_threads(5)
    CHECK_EQ(omp_get_level(), 1);
    be_visited();
    fact("initial", NULL, FRAME);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0)
            first_team();
        else if (omp_get_thread_num() == 1)
            second_team();
        else
            third_team();
    }
    return check_result();
}
