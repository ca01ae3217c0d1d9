// Handlers that call the API interrupt every thread a thousand times a second, at work, in
// barriers and asleep; then the process is stopped and continued again and again. Nothing is lost
// or counted twice.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Timeout:60
//#NoStderr
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ENOUGH = 150 };

static __thread int my_number = -1;
static __thread int my_level;
static int ticks[THREADS];
static int wrong;

static void tick(int signal)
{
    (void)signal;
    double now = omp_get_wtime();
    if (my_number < 0)
        return;
    // The worker between two regions is where it was last.
    int number = omp_get_thread_num();
    if (number != my_number && number != 0)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    if (my_level != 0 && (number != my_number || omp_get_num_threads() != THREADS))
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    if (omp_get_wtime() < now || omp_get_max_threads() != THREADS)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&ticks[my_number], 1, __ATOMIC_RELAXED);
}

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static timer_t start_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
    event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    timer_t timer;
    CHECK_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    struct itimerspec period = {{0, 1000000}, {0, 1000000}};
    CHECK_EQ(timer_settime(timer, 0, &period, NULL), 0);
    return timer;
}

static int fewest_ticks(void)
{
    int fewest = __atomic_load_n(&ticks[0], __ATOMIC_RELAXED);
    for (int i = 1; i < THREADS; i++) {
        int those = __atomic_load_n(&ticks[i], __ATOMIC_RELAXED);
        fewest = those < fewest ? those : fewest;
    }
    return fewest;
}

static long regions(void)
{
    long count = 0, iterations = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        my_level = 1;
        // Thread 1 lets the others wait, in turn at a barrier and at a lock.
        if (omp_get_thread_num() == 1)
            usleep(2000);
#pragma omp barrier
        omp_set_lock(&lock);
        count++;
        if (omp_get_thread_num() == 2)
            usleep(2000);
        omp_unset_lock(&lock);
#pragma omp for schedule(dynamic, 7)
        for (int i = 0; i < 1000; i++) {
#pragma omp atomic
            iterations++;
        }
        my_level = 0;
    }
    omp_destroy_lock(&lock);
    return count + iterations;
}

// A process beside us stops us and lets us go on, again and again, once it is told to begin.
static pid_t start_stopper(int begin)
{
    pid_t program = getpid(), stopper = fork();
    if (stopper != 0)
        return stopper;
    char word;
    if (read(begin, &word, 1) != 1)
        _exit(1);
    for (int round = 0; round < 100; round++) {
        kill(program, SIGSTOP);
        usleep(1000);
        kill(program, SIGCONT);
        usleep(2000);
    }
    _exit(0);
}

int main(void)
{
    struct sigaction action = {.sa_handler = tick};
    CHECK_EQ(sigaction(SIGRTMIN, &action, NULL), 0);
    int begin[2], status = -1;
    timer_t timers[THREADS];
    CHECK_EQ(pipe(begin), 0);
    // Before the first region: the process beside us has no OpenMP.
    pid_t stopper = start_stopper(begin[0]);
#pragma omp parallel
    {
        my_number = omp_get_thread_num();
        timers[my_number] = start_timer();
    }
    while (fewest_ticks() < ENOUGH)
        CHECK_EQ(regions(), THREADS + 1000);
    CHECK_EQ(write(begin[1], "", 1), 1);
    while (waitpid(stopper, &status, WNOHANG) != stopper)
        CHECK_EQ(regions(), THREADS + 1000);
    CHECK_EQ(status, 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(timer_delete(timers[i]), 0);
    CHECK_EQ(wrong, 0);
    return check_result();
}
