// Explicit tasks while a debugger looks: one within another on the thread that made both, and one
// that another thread executes. By itself the program just ends.
//#Vary:OMP_DEBUG=disabled|enabled
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"

static int is_there;

// So that the task's frame is the caller of the runtime.
static void final_task(void)
{
    omp_set_num_threads(9);
    fact("final", NULL, FRAME);
    wait_for_reader();
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            {
                fact("stolen", NULL, FRAME);
                __atomic_store_n(&is_there, 1, __ATOMIC_RELEASE);
                wait_for_end();
            }
            while (!__atomic_load_n(&is_there, __ATOMIC_ACQUIRE))
                usleep(1000);
#pragma omp task untied
            {
                omp_set_num_threads(8);
#pragma omp task final(1)
                final_task();
#pragma omp taskwait
            }
#pragma omp taskwait
        }
    }
    return check_result();
}
