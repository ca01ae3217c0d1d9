// One member waits for a lock, whose holder waits with the others in the barrier at the region's end.
//#Verdict:deadlock
//#Says:@STUCK
#include "planted.h"

static omp_lock_t lock;

int main(void)
{
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4) //@REGION
    {
        if (omp_get_thread_num() == 2)
            omp_set_lock(&lock);
        meet(4);
        if (omp_get_thread_num() == 1) {
            omp_set_lock(&lock); //@STUCK
            omp_unset_lock(&lock);
        }
    }
    puts("over");
    return 0;
}
