/* Threads that block, as the first argument says: in a sleep, for a mutex of the threads library, a
 * condition variable, a semaphore, a futex of the program's own, the end of another thread, for
 * input, in short regions, or in serial code. Prints how long all threads together asked to sleep
 * (asked) and how long the calls took that block (waits), ns. With `endless`, the main thread waits
 * in serial code for the end of a thread that never ends. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "helper.h"

enum { NAPS = 15, NAP = 20000000, SHORT_NAPS = 400, SHORT_NAP = 150000 };
enum { HOLDS = 20, HOLD = 10000000 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
/* How often each thread has asked for the mutex, and how often it has left it. */
static volatile int asks[2], left[2];
/* Whether a thread is about to read, or to wait for a post. */
static volatile int reading;

/* What posts tell of: their number is in `posts`, for waits by a condition variable and a futex. */
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int posts;

/* The sleep returns 0: no signal of a profiler wakes it. */
__attribute__((noinline)) static int nap(long length)
{
    struct timespec time = {0, length};
    int interrupted = nanosleep(&time, NULL);
    return interrupted;
}

/* The thread holds the mutex until the other one has asked for it, so that both wait. */
__attribute__((noinline)) static int64_t insert(int me)
{
    int other = 1 - me;
    int64_t begin = now_ns();
    asks[me]++;
    pthread_mutex_lock(&guard);
    int64_t waited = now_ns() - begin;
    while (asks[other] == left[other] && left[other] < HOLDS)
        sched_yield();
    work_ns(HOLD);
    left[me]++;
    pthread_mutex_unlock(&guard);
    return waited;
}

__attribute__((noinline)) static int take(void)
{
    char byte;
    int taken = read(ends[0], &byte, 1) == 1;
    return taken;
}

/* Each waits for the post with this number. */
__attribute__((noinline)) static int await_condition(int number)
{
    pthread_mutex_lock(&guard);
    while (posts < number)
        pthread_cond_wait(&posted, &guard);
    return pthread_mutex_unlock(&guard);
}

__attribute__((noinline)) static int await_semaphore(int number)
{
    int failed;
    do
        failed = sem_wait(&semaphore);
    while (failed && errno == EINTR);
    return number < 0 ? number : failed;
}

__attribute__((noinline)) static int await_futex(int number)
{
    int now;
    while ((now = __atomic_load_n(&posts, __ATOMIC_ACQUIRE)) < number)
        syscall(SYS_futex, &posts, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
    return 0;
}

static void *nap_once(void *unused)
{
    nap(NAP);
    return unused;
}

__attribute__((noinline)) static int await_thread(int number)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, nap_once, NULL) != 0)
        return number;
    int failed = pthread_join(thread, NULL);
    return failed;
}

/* Tells of a post in all three ways, after each nap. */
static void *post(void *unused)
{
    while (!reading)
        sched_yield();
    for (int number = 0; number < NAPS; number++) {
        nap(NAP);
        pthread_mutex_lock(&guard);
        __atomic_fetch_add(&posts, 1, __ATOMIC_RELEASE);
        pthread_cond_signal(&posted);
        pthread_mutex_unlock(&guard);
        sem_post(&semaphore);
        syscall(SYS_futex, &posts, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
    return unused;
}

/* Each of these waits takes a nap of another thread. */
static const struct {
    const char *mode;
    int (*await)(int number);
    void *(*other)(void *);
} waits_for[] = {
    {"condition", await_condition, post},
    {"semaphore", await_semaphore, post},
    {"futex", await_futex, post},
    {"join", await_thread, NULL},
};

/* A region of one thread that waits so in each step: how long, or -1 if a call failed. */
static int64_t wait_in_region(int (*await)(int), void *(*other)(void *))
{
    pthread_t thread;
    int64_t waits = 0, failed = 0;
    if (sem_init(&semaphore, 0, 0) != 0)
        return -1;
    if (other != NULL && pthread_create(&thread, NULL, other, NULL) != 0)
        return -1;
#pragma omp parallel num_threads(1) reduction(+ : waits, failed)
    {
        int64_t begin = now_ns();
        reading = 1;
        for (int number = 1; number <= NAPS; number++)
            failed += await(number) != 0;
        waits += now_ns() - begin;
    }
    if (other != NULL)
        pthread_join(thread, NULL);
    return failed ? -1 : waits;
}

static void *nap_forever(void *unused)
{
    for (;;)
        nap(NAP);
    return unused;
}

/* The main thread waits in serial code, and never ends. */
__attribute__((noinline)) static int await_endless(void)
{
    pthread_t thread;
#pragma omp parallel num_threads(2)
    work_ns(200000000);
    if (pthread_create(&thread, NULL, nap_forever, NULL) != 0)
        return 1;
    print_fact("begun", now_ns());
    fflush(stdout);
    int failed = pthread_join(thread, NULL);
    return failed;
}

static void *feed(void *unused)
{
    while (!reading)
        sched_yield();
    for (int byte = 0; byte < NAPS; byte++) {
        nap(NAP);
        if (write(ends[1], "x", 1) != 1)
            return unused;
    }
    close(ends[1]);
    return unused;
}

int main(int count, char **words)
{
    const char *mode = count > 1 ? words[1] : "";
    int64_t asked = 0, waits = 0, interrupted = 0;
    await_helper();
    if (strcmp(mode, "endless") == 0)
        return await_endless();
    for (unsigned at = 0; at < sizeof waits_for / sizeof waits_for[0]; at++)
        if (strcmp(mode, waits_for[at].mode) == 0) {
            asked = (int64_t)NAPS * NAP;
            waits = wait_in_region(waits_for[at].await, waits_for[at].other);
            print_fact("asked", asked);
            print_fact("waits", waits);
            return waits < 0;
        }
    if (strcmp(mode, "sleep") == 0) {
#pragma omp parallel num_threads(2) reduction(+ : asked, waits, interrupted)
        {
            int64_t begin = now_ns();
            for (int step = 0; step < NAPS; step++, asked += NAP)
                interrupted += nap(NAP) != 0;
            waits += now_ns() - begin;
        }
    } else if (strcmp(mode, "short") == 0) {
        for (int step = 0; step < SHORT_NAPS; step++) {
#pragma omp parallel num_threads(2) reduction(+ : asked, waits, interrupted)
            {
                int64_t begin = now_ns();
                interrupted += nap(SHORT_NAP) != 0;
                waits += now_ns() - begin;
                asked += SHORT_NAP;
            }
        }
    } else if (strcmp(mode, "mutex") == 0) {
#pragma omp parallel num_threads(2) reduction(+ : waits)
        for (int step = 0; step < HOLDS; step++)
            waits += insert(omp_get_thread_num());
    } else if (strcmp(mode, "read") == 0) {
        pthread_t feeder;
        if (pipe(ends) != 0 || pthread_create(&feeder, NULL, feed, NULL) != 0)
            return 1;
#pragma omp parallel num_threads(1) reduction(+ : asked, waits)
        {
            int64_t begin = now_ns();
            reading = 1;
            while (take())
                asked += NAP;
            waits += now_ns() - begin;
        }
        pthread_join(feeder, NULL);
    } else if (strcmp(mode, "serial") == 0) {
#pragma omp parallel num_threads(2)
        work_ns(1000000);
        int64_t begin = now_ns();
        for (int step = 0; step < NAPS; step++, asked += NAP)
            interrupted += nap(NAP) != 0;
        waits += now_ns() - begin;
#pragma omp parallel num_threads(2)
        work_ns(1000000);
    } else {
#pragma omp parallel num_threads(2)
        work_ns(200000000);
    }
    print_fact("asked", asked);
    print_fact("waits", waits);
    print_fact("interrupted", interrupted);
    return 0;
}
