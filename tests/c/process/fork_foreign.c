// fork(2) by a plain thread that has led regions: in the child it is the only thread, and a root.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp hangs in its first region
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(void)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    members += 1;
    return members;
}

static void *foreign(void *unused)
{
    (void)unused;
    CHECK_EQ(region(), 3);
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQ(region(), 3);
        omp_set_num_threads(5);
        CHECK_EQ(region(), 5);
        _exit(check_result());
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_EQ(region(), 3);
    return NULL;
}

int main(void)
{
    CHECK_EQ(region(), 3);
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    pthread_join(thread, NULL);
    CHECK_EQ(region(), 3);
    return check_result();
}
