// fork(2) by a plain thread while another thread combines the results of a reduction: the mutex that
// the runtime chose for it is free in the child, which does not wait for a thread that is gone.
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp hangs in the region, that of libomp 19 ends by an assertion
//#NoStderr
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int combining, forked;

static int combine(int one, int other)
{
    atomic_store(&combining, 1);
    while (!atomic_load(&forked))
        usleep(100);
    return one + other;
}

#pragma omp declare reduction(slow : int : omp_out = combine(omp_out, omp_in))

static int region(void)
{
    int members = 0;
#pragma omp parallel num_threads(2) reduction(slow : members)
    members += 1;
    return members;
}

static void *forker(void *unused)
{
    (void)unused;
    while (!atomic_load(&combining))
        usleep(100);
    pid_t child = fork();
    atomic_store(&forked, 1);
    if (child == 0) {
        alarm(60);
        CHECK_EQ(region(), 2);
        _exit(check_result());
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forker, NULL);
    CHECK_EQ(region(), 2);
    pthread_join(thread, NULL);
    return check_result();
}
