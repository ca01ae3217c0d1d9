// A long wait for another thread's lock is no mistake.
//#Flags:-pthread
//#Env:OMP_NUM_THREADS=2
//#Env:OMP_STACKSIZE=256K
//#NoStderr
#include <omp.h>
#include <unistd.h>

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
#pragma omp barrier
            sleep(3);
            omp_unset_lock(&lock);
        } else {
#pragma omp barrier
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return 0;
}
