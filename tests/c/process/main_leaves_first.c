// main ends by pthread_exit(3) while another thread goes on: the process ends with that thread.
//#Timeout:20
//#ReferenceFails[clang]:libomp keeps the process with its idle workers
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int region(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += omp_get_thread_num();
    return sum;
}

static void *other(void *unused)
{
    (void)unused;
    usleep(100000);
    printf("other %d\n", region());
    return NULL;
}

int main(void)
{
    pthread_t thread;
    printf("main %d\n", region());
    fflush(stdout);
    CHECK_EQ(pthread_create(&thread, NULL, other, NULL), 0);
    pthread_exit(NULL);
}
