// A thread sleeps while it holds the lock that the others want: they wait, and it is no deadlock.
//#Verdict:none
//#Prints:4
#include "planted.h"

static omp_lock_t lock;

int main(void)
{
    int sum = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0)
            omp_set_lock(&lock);
        meet(4);
        if (omp_get_thread_num() == 0)
            sleep(5); //@SLEEPS
        else
            omp_set_lock(&lock); //@WAITS
        sum++;
        omp_unset_lock(&lock);
    }
    printf("%d\n", sum);
    return 0;
}
