// A member holds a nestable lock, twice, and waits in the barrier for another, which wants it.
//#Verdict:deadlock
//#Says:@WANTS
#include "planted.h"

static omp_nest_lock_t lock;

int main(void)
{
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            omp_set_nest_lock(&lock);
            omp_set_nest_lock(&lock);
        }
        meet(2);
        if (omp_get_thread_num() == 0) {
            omp_set_nest_lock(&lock); //@WANTS
            omp_unset_nest_lock(&lock);
        }
#pragma omp barrier //@BARRIER
        meet(4);
    }
    puts("over");
    return 0;
}
