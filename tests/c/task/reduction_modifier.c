// reduction with the task modifier: what the tasks of a parallel, for, sections or scope region add
// counts with what its threads add.
//#Threads:1,2,4
//#Repeat:3
#include "check.h"
#include <omp.h>

int main(void)
{
    int threads = omp_get_max_threads();
    for (int round = 0; round < 20; round++) {
        long sum = 1;
        int array[8] = {0};
#pragma omp parallel reduction(task, + : sum, array)
        {
            sum += 1;
            for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum, array) firstprivate(i)
                {
                    sum += 10;
                    array[i % 8]++;
                }
            }
        }
        CHECK_EQ(sum, 1 + threads * 101);
        CHECK_EQ(array[0], 2 * threads);
        CHECK_EQ(array[7], threads);

        long loop = 0, product = 1;
#pragma omp parallel
        {
#pragma omp for reduction(task, + : loop)
            for (int i = 0; i < 100; i++) {
                loop += 1;
#pragma omp task in_reduction(+ : loop) firstprivate(i)
                loop += i;
            }
            CHECK_EQ(loop, 100 + 4950);
#pragma omp barrier
#pragma omp for schedule(dynamic, 3) reduction(task, * : product)
            for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(* : product)
                product *= 2;
            }
            CHECK_EQ(product, 1 << 30);
        }

        long parts = 0;
#pragma omp parallel
        {
#pragma omp sections reduction(task, + : parts)
            {
#pragma omp section
                {
#pragma omp task in_reduction(+ : parts)
                    parts += 1;
                    parts += 10;
                }
#pragma omp section
                {
#pragma omp task in_reduction(+ : parts)
                    parts += 100;
                }
            }
        }
        CHECK_EQ(parts, 111);

        long both = 0;
#pragma omp parallel for reduction(task, + : both) num_threads(2)
        for (int i = 0; i < 64; i++) {
#pragma omp task in_reduction(+ : both)
            {
                both += 1;
#pragma omp taskgroup
                {
#pragma omp task in_reduction(+ : both)
                    both += 100;
                }
            }
        }
        CHECK_EQ(both, 64 * 101);

#ifndef __clang__
        // clang hands a scope's reduction down without its tasks.
        long scope = 0;
#pragma omp parallel
        {
#pragma omp scope reduction(task, + : scope)
            {
                scope += 1;
#pragma omp task in_reduction(+ : scope)
                scope += 10;
            }
            CHECK_EQ(scope, 11 * threads);
        }
#endif
    }
    return check_result();
}
