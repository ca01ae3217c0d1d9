// Objects of both compilers in one program share one runtime: teams, numbers, criticals, locks.
//#Compilers:clang
//#With:gcc:part_gcc.c
//#Threads:1,4
//#NoStderr
#include "check.h"
#include "mixed.h"

int main(void)
{
    int size = omp_get_max_threads();
    for (int round = 0; round < 50; round++) {
        // gcc's region inside, and its orphaned constructs in clang's region.
        CHECK_EQ(gcc_region(size), size);
        long sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
            CHECK_EQ(gcc_thread_num(), omp_get_thread_num());
            sum += gcc_share_of_loop(1000);
#pragma omp barrier
            int singles = gcc_single();
            gcc_barrier();
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < 100; i++)
                sum += i;
            gcc_share_of_loop(10);
#pragma omp single
            CHECK_EQ(gcc_thread_num(), omp_get_thread_num());
#pragma omp atomic
            mixed_singles += singles;
        }
        CHECK_EQ(sum, 499500 + 4950);
    }
    CHECK_EQ(mixed_singles, 50);
    return check_result();
}
