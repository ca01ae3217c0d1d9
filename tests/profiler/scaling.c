/* For `oxomp scale`: serial code, a region that threads share well, one that a critical serializes,
 * and one whose teams have two threads whatever the number. */
#include <omp.h>

#include "clock.h"

enum { ITERATIONS = 64 };

static const int64_t part = 400000;

/* What the first stays of all threads in the critical take together: the threads wait for each
 * other although on a busy machine one of them may begin late. */
static const int64_t first_stays = 120000000;

/* The first stay of the calling thread in the critical, to which `come` threads have come. */
static void stay(const int *come)
{
    int threads = omp_get_num_threads(), seen;
    if (threads > ITERATIONS)
        threads = ITERATIONS;
    do {
#pragma omp atomic read
        seen = *come;
    } while (seen < threads);
    spin_until(now_ns() + first_stays / threads);
}

int main(void)
{
    int64_t sum = 0;
    work_ns(10 * part);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < ITERATIONS; i++)
        sum += work_ns(part) > 0;
    int come = 0, is_first = 1;
#pragma omp parallel for schedule(static) firstprivate(is_first)
    for (int i = 0; i < ITERATIONS; i++) {
        if (is_first) {
#pragma omp atomic
            come++;
        }
#pragma omp critical
        {
            if (is_first)
                stay(&come);
            sum += work_ns(part) > 0;
        }
        is_first = 0;
    }
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(2)
    for (int i = 0; i < ITERATIONS; i++)
        sum += work_ns(part) > 0;
    print_fact("sum", sum);
    return sum == 3 * ITERATIONS ? 0 : 1;
}
