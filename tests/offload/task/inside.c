// All tasks that a target region generates are complete when it ends, also where a thread of the team
// that encounters it is free to execute them later: none touches the data after they are unmapped.
//#StockFails:its kernels leave tasks behind for the team that encounters the region
#include "check.h"
#include <omp.h>
#include <unistd.h>

enum { ROUNDS = 50, TASKS = 16, THREADS = 4 };

int main(void)
{
    int wrong = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    {
        for (int round = 0; round < ROUNDS; round++) {
            int done[TASKS] = {0};
#pragma omp target map(tofrom : done)
            for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i) shared(done)
                {
                    if (i % 4 == 0)
                        usleep(200);
#pragma omp task shared(done)
                    done[i] = i + 1;
                }
            }
            for (int i = 0; i < TASKS; i++)
                wrong += done[i] != i + 1;
        }
    }
    CHECK_EQ(wrong, 0);
    return check_result();
}
