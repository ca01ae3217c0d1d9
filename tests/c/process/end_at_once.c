// _exit(2) by the primary thread, a worker and a plain thread, while the others compute or wait.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:WHO=0|3|foreign
//#NotRecorded:the tool is not finalized
//#Status:7
//#Stdout:^$
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void not_these(void)
{
    printf("exit handlers do not run\n");
}

static void *foreign(void *unused)
{
    usleep(20000);
    _exit(7);
    return unused;
}

int main(void)
{
    const char *word = getenv("WHO");
    int who = strcmp(word, "foreign") == 0 ? -1 : atoi(word);
    pthread_t thread;
    atexit(not_these);
    if (who < 0)
        pthread_create(&thread, NULL, foreign, NULL);
#pragma omp parallel
    {
        if (omp_get_thread_num() == who) {
            usleep(10000);
            _exit(7);
        }
        if (omp_get_thread_num() == 1)
            for (;;)
                usleep(1000);
#pragma omp barrier
    }
    return 0;
}
