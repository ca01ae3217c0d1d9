// A program that has had regions becomes a daemon, by two forks and setsid(2): the daemon's regions
// work, in its main thread and in threads that it makes.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp hangs in its first region
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(void)
{
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
        members += 1;
#pragma omp barrier
    }
    return members;
}

static void *foreign(void *found)
{
    *(int *)found = region();
    return NULL;
}

static int work_of_daemon(void)
{
    int found = 0;
    pthread_t thread;
    for (int i = 0; i < 10; i++)
        CHECK_EQ(region(), 3);
    pthread_create(&thread, NULL, foreign, &found);
    CHECK_EQ(region(), 3);
    pthread_join(thread, NULL);
    CHECK_EQ(found, 3);
    return check_result();
}

int main(void)
{
    int ends[2], result = -1;
    CHECK_EQ(region(), 3);
    CHECK_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        CHECK_EQ(chdir("/"), 0);
        int failed = work_of_daemon();
        CHECK_EQ(write(ends[1], &failed, sizeof failed), sizeof failed);
        exit(failed);
    }
    CHECK_EQ(waitpid(child, NULL, 0), child);
    close(ends[1]);
    CHECK_EQ(read(ends[0], &result, sizeof result), sizeof result);
    CHECK_EQ(result, 0);
    // The pipe ends with the daemon.
    CHECK_EQ(read(ends[0], &result, sizeof result), 0);
    CHECK_EQ(region(), 3);
    return check_result();
}
