// main, which never meets OpenMP, ends by pthread_exit(3): before, while or after another thread
// has regions. The process ends with its last thread and leaves no idle worker behind.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:ORDER=before|while|after
//#Timeout:20
//#ReferenceFails[clang]:libomp keeps the process with its idle workers
//#Stdout:^other 3 6\n$
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int order;
static int leaving;

static int is_order(const char *word)
{
    return strcmp(getenv("ORDER"), word) == 0;
}

static void wait_until_main_leaves(void)
{
    while (!__atomic_load_n(&leaving, __ATOMIC_ACQUIRE))
        usleep(1000);
    usleep(30000);
}

static void *other(void *unused)
{
    if (order == 0)
        wait_until_main_leaves();
    int first = 0, second = 0;
#pragma omp parallel num_threads(3) reduction(+ : first)
    {
        first++;
        if (order == 1 && omp_get_thread_num() == 1)
            wait_until_main_leaves();
#pragma omp barrier
    }
#pragma omp parallel num_threads(4) reduction(+ : second)
    second += omp_get_thread_num();
    printf("other %d %d\n", first, second);
    return unused;
}

int main(void)
{
    pthread_t thread;
    order = is_order("before") ? 0 : is_order("while") ? 1 : 2;
    pthread_create(&thread, NULL, other, NULL);
    if (order == 2)
        pthread_join(thread, NULL);
    __atomic_store_n(&leaving, 1, __ATOMIC_RELEASE);
    pthread_exit(NULL);
}
