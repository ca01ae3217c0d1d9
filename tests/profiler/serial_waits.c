/* Between two regions the first thread sleeps, waits for a child and waits for another thread; after
 * the second it works. Prints how long it waited, and how much processor time it worked, ns. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

static void pause_for(long length)
{
    struct timespec time = {0, length};
    nanosleep(&time, NULL);
}

static void *other(void *unused)
{
    pause_for(80000000);
    return unused;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    spin_until(now_ns() + 20000000);
    int64_t begin = now_ns();
    pause_for(80000000);
    pid_t child = fork();
    if (child == 0) {
        pause_for(80000000);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    print_fact("waits", now_ns() - begin);
#pragma omp parallel num_threads(2)
    spin_until(now_ns() + 20000000);
    print_fact("works", work_ns(60000000));
    return 0;
}
