// The end of a serialized region that the program did not begin by a call: in a forked region, on
// the primary thread and on a worker; in an explicit task; and outside of all regions. It has no
// effect, and is told of once. By itself clang takes it that no call changes the level, and asks
// for it once only.
//#Compilers:clang
//#Flags:-g -fno-inline -mllvm -openmp-opt-disable
//#Threads:1,2,4
//#Stderr:^OMP: Warning: stray_end\+0x[0-9a-f]+ \(\S+\): parallel: there is no region that the call could end; the call has no effect\n$
//#ReferenceFails:libomp ends the region that there is
#include "check.h"
#include <omp.h>

extern int __kmpc_global_thread_num(void *);
extern void __kmpc_serialized_parallel(void *, int);
extern void __kmpc_end_serialized_parallel(void *, int);

enum { ROUNDS = 50 };

static void stray_end(void)
{
    int level = omp_get_level(), number = omp_get_thread_num(), size = omp_get_num_threads();
    __kmpc_end_serialized_parallel(NULL, __kmpc_global_thread_num(NULL));
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_thread_num(), number);
    CHECK_EQ(omp_get_num_threads(), size);
}

static void begin_and_end(int level)
{
    int gtid = __kmpc_global_thread_num(NULL);
    __kmpc_serialized_parallel(NULL, gtid);
    CHECK_EQ(omp_get_level(), level + 1);
    CHECK_EQ(omp_get_num_threads(), 1);
#pragma omp task
    stray_end();
#pragma omp taskwait
    __kmpc_end_serialized_parallel(NULL, gtid);
    CHECK_EQ(omp_get_level(), level);
}

int main(void)
{
    int most = omp_get_max_threads();
    for (int round = 0; round < ROUNDS; round++) {
        int members = 0, last = -1, sum = 0;
        stray_end();
#pragma omp parallel num_threads(most)
        {
            if (omp_get_thread_num() == 0)
                stray_end();
#pragma omp atomic
            members++;
#pragma omp barrier
            CHECK_EQ(members, most);
            if (omp_get_thread_num() == most - 1) {
                stray_end();
                last = round;
            }
            begin_and_end(1);
            stray_end();
#pragma omp for schedule(dynamic) reduction(+ : sum)
            for (int i = 1; i <= 100; i++)
                sum += i;
            CHECK_EQ(sum, 5050);
            CHECK_EQ(last, round);
        }
        CHECK_EQ(omp_get_level(), 0);
        begin_and_end(0);
    }
    return check_result();
}
