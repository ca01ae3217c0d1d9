/* A value goes from one thread to the other by `single copyprivate`, again and again: nowait cannot
 * stand there. */
#include "clock.h"

enum { ROUNDS = 20000 };

int main(void)
{
    int64_t sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        int64_t value;
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp single copyprivate(value)
            value = round;
            sum += value;
        }
    }
    print_fact("sum", sum);
    return 0;
}
