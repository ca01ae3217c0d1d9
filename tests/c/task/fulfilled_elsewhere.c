// An event that is fulfilled by a thread with a queued task of its own makes another thread's task
// ready: that thread finds it, also while the first one waits for it without a scheduling point.
//#Threads:2
//#Repeat:3
//#ReferenceFails[clang]:libomp waits for ever
#include "check.h"
#include <omp.h>
#include <unistd.h>

int main(void)
{
    for (int round = 0; round < 50; round++) {
        omp_lock_t lock;
        omp_init_lock(&lock);
        omp_event_handle_t event = (omp_event_handle_t)0;
        int is_over = 0, ran = 0, queued = 0;
#pragma omp parallel num_threads(2)
        {
            if (omp_get_num_threads() < 2) {
                ran = 1;
            } else if (omp_get_thread_num() == 0) {
                int location = round;
                (void)location;
                omp_set_lock(&lock);
#pragma omp task detach(event) depend(out : location) shared(is_over)
                __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
#pragma omp task depend(in : location) shared(ran)
                ran = 1;
#pragma omp taskwait
                CHECK_EQ(ran, 1);
                omp_unset_lock(&lock);
            } else {
                while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
                }
#pragma omp task shared(queued)
                queued = 1;
                // The body's thread is done with it.
                usleep(50);
                omp_fulfill_event(event);
                omp_set_lock(&lock);
                omp_unset_lock(&lock);
            }
        }
        omp_destroy_lock(&lock);
        (void)queued;
    }
    return check_result();
}
