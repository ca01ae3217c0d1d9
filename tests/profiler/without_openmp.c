// A program without OpenMP. The argument says what its threads do:
//   waits  three compute for half a second each, and wait for each other's mutex and sleep
//   clone  one that the C library has not made computes with the main thread's variables
//   many   2,000 that live shortly, while two compute
//   sleepers  a hundred sleep, and one that begins later computes
//   block  one blocks all signals, computes, and waits for a signal
// Prints `done` if all went well.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile double sum;

static double used(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void compute(double seconds)
{
    for (double end = used() + seconds; used() < end;)
        for (int i = 1; i < 10000; i++)
            sum += 1.0 / i;
}

__attribute__((noinline)) static void in_turns(void)
{
    pthread_mutex_lock(&mutex);
    usleep(300000);
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused)
{
    (void)unused;
    in_turns();
    compute(0.5);
    return NULL;
}

static void *nothing(void *unused)
{
    return unused;
}

static void *computing(void *unused)
{
    compute(0.4);
    return unused;
}

static void *sleeping(void *unused)
{
    sleep(1);
    return unused;
}

static void *waiting(void *unused)
{
    compute(0.2);
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    sigwait(&set, &number);
    return unused;
}

// The end of the thread by clone(2), which the kernel announces in the first word.
static int running;
static volatile long rounds;

static int stranger(void *unused)
{
    (void)unused;
    // Without any function of the C library.
    for (long i = 0; i < 400000000; i++)
        rounds++;
    return 0;
}

static int run(const char *what)
{
    pthread_t threads[3];
    if (strcmp(what, "waits") == 0) {
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, work, NULL);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        return 0;
    }
    if (strcmp(what, "clone") == 0) {
        size_t size = 1 << 18;
        char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                    CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
        if (clone(stranger, stack + size, flags, NULL, &running, NULL, &running) < 0)
            return 1;
        errno = 77;
        compute(0.4);
        while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) != 0)
            ;
        return errno != 77 || rounds != 400000000;
    }
    if (strcmp(what, "many") == 0) {
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, computing, NULL);
        for (int i = 0; i < 2000; i++) {
            pthread_t one;
            if (pthread_create(&one, NULL, nothing, NULL) != 0 || pthread_join(one, NULL) != 0)
                return 1;
        }
        return pthread_join(threads[0], NULL) | pthread_join(threads[1], NULL);
    }
    if (strcmp(what, "sleepers") == 0) {
        pthread_t sleepers[100];
        for (int i = 0; i < 100; i++)
            if (pthread_create(&sleepers[i], NULL, sleeping, NULL) != 0)
                return 1;
        usleep(500000);
        pthread_create(&threads[0], NULL, computing, NULL);
        for (int i = 0; i < 100; i++)
            pthread_join(sleepers[i], NULL);
        return pthread_join(threads[0], NULL);
    }
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_create(&threads[0], NULL, waiting, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    compute(0.5);
    pthread_kill(threads[0], SIGURG);
    return pthread_join(threads[0], NULL);
}

int main(int count, char **arguments)
{
    int failed = run(count > 1 ? arguments[1] : "waits");
    puts(failed ? "failed" : "done");
    return failed;
}
