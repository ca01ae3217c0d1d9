/* Taskgroups in which one task cancels the others: run with OMP_CANCELLATION=true. Prints how many
 * tasks were executed. */
#include "clock.h"

int main(void)
{
    int64_t ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int group = 0; group < 50; group++) {
#pragma omp taskgroup
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(ran)
            {
#pragma omp atomic
                ran++;
                if (i == 10) {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    print_fact("ran", ran);
    return 0;
}
