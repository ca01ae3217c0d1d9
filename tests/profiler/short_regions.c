/* Regions of some microseconds at two places: both threads work, or one of them alone. The program
 * times every region itself. */
#include "burn.h"

enum { TIMES = 20000 };

static int64_t both(long steps)
{
    int64_t begin = now_ns();
#pragma omp parallel num_threads(2)
    burn(steps);
    return now_ns() - begin;
}

static int64_t alone(long steps)
{
    int64_t begin = now_ns();
#pragma omp parallel for num_threads(2) schedule(static)
    for (int thread = 0; thread < 2; thread++)
        burn(thread == 0 ? steps : 0);
    return now_ns() - begin;
}

int main(void)
{
    long steps = burn_steps(10) / 2500;
    int64_t of_both = 0, of_one = 0;
    for (int time = 0; time < TIMES; time++) {
        of_both += both(steps);
        of_one += alone(steps);
    }
    print_fact("times", TIMES);
    print_fact("both", of_both);
    print_fact("alone", of_one);
    return 0;
}
