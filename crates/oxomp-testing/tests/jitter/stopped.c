// Threads that work without a system call give their processor back only where they are stopped:
// the main thread, threads of its own and a child each wait until that has happened so often.
// Status 2 if a thread was not stopped in the time given.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3 };

static long naps, milliseconds;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void *work(void *unused)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    long before = usage.ru_nvcsw;
    for (double end = now() + (double)milliseconds; now() < end;) {
        getrusage(RUSAGE_THREAD, &usage);
        if (usage.ru_nvcsw - before >= naps)
            return unused;
    }
    _exit(2);
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 3;
    naps = atol(arguments[1]);
    milliseconds = atol(arguments[2]);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 4;
    work(NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pid_t child = fork();
    if (child == 0) {
        work(NULL);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 5;
}
