// Two threads that OpenMP did not create hold a lock each; a member of each one's team wants that of
// the other.
//#Verdict:deadlock
//#Says:@WANTS
#include "planted.h"
#include <pthread.h>

static omp_lock_t locks[2];

static void *visit(void *argument)
{
    int me = *(int *)argument;
    omp_set_lock(&locks[me]);
    meet(2);
#pragma omp parallel num_threads(2) //@REGION
    if (omp_get_thread_num() == 1) {
        omp_set_lock(&locks[1 - me]); //@WANTS
        omp_unset_lock(&locks[1 - me]);
    }
    omp_unset_lock(&locks[me]);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int numbers[2] = {0, 1};
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
    if (pthread_create(&first, NULL, visit, &numbers[0]) != 0)
        return 1;
    if (pthread_create(&second, NULL, visit, &numbers[1]) != 0)
        return 1;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    puts("over");
    return 0;
}
