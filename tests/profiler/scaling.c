/* For `oxomp scale`: serial code, a region that threads share well, one that a critical serializes,
 * and one whose teams have two threads whatever the number. */
#include "clock.h"

enum { ITERATIONS = 64 };

static const int64_t part = 400000;

int main(void)
{
    int64_t sum = 0;
    work_ns(10 * part);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < ITERATIONS; i++)
        sum += work_ns(part) > 0;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ITERATIONS; i++) {
#pragma omp critical
        sum += work_ns(part) > 0;
    }
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(2)
    for (int i = 0; i < ITERATIONS; i++)
        sum += work_ns(part) > 0;
    print_fact("sum", sum);
    return sum == 3 * ITERATIONS ? 0 : 1;
}
