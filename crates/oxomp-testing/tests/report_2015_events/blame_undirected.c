/* Undirected blame (2015 report, 3.2.1): the time that threads wait at a barrier or idle is charged
 * to the threads that work meanwhile, to each the number of those that wait divided by that of
 * those that work.
 *
 * The answers are known: while one thread of four works alone it is charged three times its time,
 * to the nanosecond, and nobody else is charged: late at a barrier, late at the end of a region, and
 * in a serial phase. With two that work, each is charged half of what the other two wait. */
#include "blame.h"
#include <omp.h>

enum { LIMIT = 16 };

/* The activity of a thread. */
enum activity { ABSENT, WORKS, WAITS, IDLES };

static enum activity activities[LIMIT];
static int64_t accounts[LIMIT], since;
static int count[4];
static atomic_int threads;
static __thread int me = -1;

static int not_working(void) { return count[WAITS] + count[IDLES]; }

/* Charges what was waited since the last time; in half nanoseconds, so that two may share. */
static int64_t settle(void) {
    int64_t time = now(), past = time - since;
    since = time;
    for (int i = 0; i < LIMIT && count[WORKS]; i++)
        if (activities[i] == WORKS)
            accounts[i] += 2 * past * not_working() / count[WORKS];
    return time;
}

static void become(enum activity activity) {
    lock_tool();
    settle();
    if (me < 0)
        me = threads++;
    if (me >= LIMIT)
        abort();
    count[activities[me]]--;
    activities[me] = activity;
    count[activity]++;
    unlock_tool();
}

static void on_thread_begin(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type, (void)id;
    become(WORKS);
}

static void on_thread_end(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type, (void)id;
    become(ABSENT);
}

static void on_idle_begin(ompt_thread_id_t id) {
    (void)id;
    become(IDLES);
}

static void on_idle_end(ompt_thread_id_t id) {
    (void)id;
    become(WORKS);
}

static void on_wait_begin(ompt_parallel_id_t parallel, ompt_task_id_t task) {
    (void)parallel, (void)task;
    become(WAITS);
}

static void on_wait_end(ompt_parallel_id_t parallel, ompt_task_id_t task) {
    (void)parallel, (void)task;
    become(WORKS);
}

static void start(void) {
    SET(thread_begin, on_thread_begin)
    SET(thread_end, on_thread_end)
    SET(idle_begin, on_idle_begin)
    SET(idle_end, on_idle_end)
    SET(wait_barrier_begin, on_wait_begin)
    SET(wait_barrier_end, on_wait_end)
    SET(wait_taskwait_begin, on_wait_begin)
    SET(wait_taskwait_end, on_wait_end)
}

/* What is known at one moment. */
struct moment {
    int64_t time, mine, all;
};

static struct moment take(void) {
    struct moment moment = {0, 0, 0};
    lock_tool();
    moment.time = settle();
    moment.mine = accounts[me];
    for (int i = 0; i < LIMIT; i++)
        moment.all += accounts[i];
    unlock_tool();
    return moment;
}

static void until_others_wait(int others, atomic_int *arrived) {
    // A thread that has not left the wait before this one would still work for a moment.
    while (arrived && *arrived < others)
        usleep(100);
    for (int waits = 0; waits != others;) {
        usleep(100);
        lock_tool();
        waits = arrived ? not_working() : count[IDLES];
        unlock_tool();
    }
}

/* The thread works for 20 ms while `others` wait: whether it is charged its share of their time,
 * and all who work together are charged all of it. `arrived` counts the others that are at the wait;
 * without it they are idle, outside of the region. */
static int is_blamed(int others, int workers, atomic_int *arrived, atomic_int *ready,
                     atomic_int *done) {
    until_others_wait(others, arrived);
    // All who work are here until all of them have looked twice.
    (*ready)++;
    while (*ready < workers)
        usleep(100);
    struct moment before = take();
    work_for(20 * MILLISECOND);
    struct moment after = take();
    (*done)++;
    while (*done < workers)
        usleep(100);
    int64_t time = after.time - before.time;
    int64_t mine = after.mine - before.mine, all = after.all - before.all;
    int64_t share = 2 * time * others / workers;
    // Each interval is rounded by itself.
    return time >= 20 * MILLISECOND && mine <= share && mine > share - 100000 &&
           all <= 2 * time * others && all > 2 * time * others - 100000;
}

int main(void) {
    atomic_int arrived[3] = {0}, ready[4] = {0}, done[4] = {0}, both = 0;
    int barrier = 0, closing = 0, serial = 0;
#pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() == 1)
            barrier = is_blamed(THREADS - 1, 1, &arrived[0], &ready[0], &done[0]);
        else
            arrived[0]++;
#pragma omp barrier
        if (omp_get_thread_num() < 2)
            both += is_blamed(THREADS - 2, 2, &arrived[1], &ready[1], &done[1]);
        else
            arrived[1]++;
#pragma omp barrier
        if (omp_get_thread_num() == 2)
            closing = is_blamed(THREADS - 1, 1, &arrived[2], &ready[2], &done[2]);
        else
            arrived[2]++;
    }
    serial = is_blamed(THREADS - 1, 1, NULL, &ready[3], &done[3]);
    printf("barrier=%d both=%d closing=%d serial=%d threads=%d\n", barrier, (int)both, closing,
           serial, (int)threads);
    return 0;
}
