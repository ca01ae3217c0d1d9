// Target constructs that take part in a reduction of tasks.
//#Compilers:gcc
//#Threads:1,2,4
//#NoStderr
//#SameStdoutAs:reference
#include "check.h"
#include <omp.h>

int main(void)
{
    int sum = 1, product = 1, array[4] = {0};
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, array) task_reduction(* : product)
        {
            for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
                sum += i;
#pragma omp target in_reduction(+ : sum, array)
                {
                    sum += 2 * i;
                    array[i % 4]++;
                }
            }
#pragma omp target in_reduction(* : product) nowait
            product *= 2;
#pragma omp target in_reduction(* : product) depend(inout : product)
            product *= 3;
        }
    }
    printf("%d %d: %d %d %d %d\n", sum, product, array[0], array[1], array[2], array[3]);
    CHECK_EQ(sum, 1 + 3 * 135);
    CHECK_EQ(product, 216);
    return check_result();
}
