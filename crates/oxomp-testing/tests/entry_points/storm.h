/* A program in which another native thread signals each OpenMP thread all the time, while the
 * program goes through all constructs. The file that includes this one has the tool of one
 * interface: its handler calls the entry points that are async-signal-safe, and checks what it can
 * know of the answers. Cancellation has to be enabled. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>

enum { THREADS = 64, MOST_LEVELS = 32, WANTED = 20000 };

static atomic_long samples, in_tasks, in_waits;

/* The threads that are signalled. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t threads[THREADS];

static void on_signal(int number);

static void fail(int line, uint64_t value) {
    char text[64];
    int length = snprintf(text, sizeof text, "line %d: %#llx\n", line, (unsigned long long)value);
    if (write(1, text, (size_t)length) < 0)
        _exit(3);
    _exit(2);
}
#define CHECK(condition, value) ((condition) ? (void)0 : fail(__LINE__, (uint64_t)(value)))

static atomic_int stop;

static void *signal_all(void *unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    while (!atomic_load(&stop)) {
        pthread_mutex_lock(&lock);
        for (int n = 0; n < THREADS; n++)
            if (threads[n])
                tgkill(getpid(), threads[n], SIGUSR1);
        pthread_mutex_unlock(&lock);
        usleep(50);
    }
    return unused;
}

/* Only while signals are blocked: the handler needs no lock, but the holder of the lock would be
 * interrupted all the time. */
static void change(pid_t from, pid_t to) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_mutex_lock(&lock);
    int n = 0;
    while (n < THREADS - 1 && threads[n] != from)
        n++;
    threads[n] = to;
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void in_the_child(void) {
    /* The signalling thread, which may have held it, is gone. */
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

#include "constructs.h"

/* Whether there were samples enough, and some of them in tasks. */
static int has_enough(void) {
    return atomic_load(&samples) >= WANTED && atomic_load(&in_tasks) > 0;
}

int main(void) {
    pthread_t sender;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
    omp_get_max_threads();
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&sender, NULL, signal_all, NULL);
    for (int round = 0; round < 3 || !has_enough(); round++)
        all_constructs(round);
    atomic_store(&stop, 1);
    pthread_join(sender, NULL);
    printf("sampled: tasks=%s\n", atomic_load(&in_tasks) > 0 ? "yes" : "no");
    return 0;
}
