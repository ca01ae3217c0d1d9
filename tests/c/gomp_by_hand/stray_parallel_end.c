// The end of a region that the program did not begin by a call: in a region of gcc's present form,
// on the primary thread and on a worker; on a worker of a region of the old form; in an explicit
// task; and outside of all regions. It has no effect, and is told of once.
//#Compilers:gcc
//#Flags:-g -fno-inline
//#Threads:1,2,4
//#Stderr:^OMP: Warning: stray_end\+0x[0-9a-f]+ \(\S+\): parallel: there is no region that the call could end; the call has no effect\n$
//#ReferenceFails:libgomp ends the region that there is
#include "check.h"
#include <omp.h>

extern void GOMP_parallel_start(void (*)(void *), void *, unsigned);
extern void GOMP_parallel_end(void);

enum { ROUNDS = 50 };

static void stray_end(void)
{
    int level = omp_get_level(), number = omp_get_thread_num(), size = omp_get_num_threads();
    GOMP_parallel_end();
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_thread_num(), number);
    CHECK_EQ(omp_get_num_threads(), size);
}

static void member(void *data)
{
    int *members = data;
    if (omp_get_thread_num() != 0)
        stray_end();
#pragma omp task if (0)
    stray_end();
#pragma omp atomic
    *members += 1;
#pragma omp barrier
    CHECK_EQ(*members, omp_get_num_threads());
}

static void begin_and_end(int level)
{
    int members = 0;
    GOMP_parallel_start(member, &members, 0);
    CHECK_EQ(omp_get_level(), level + 1);
    int size = omp_get_num_threads();
    member(&members);
    GOMP_parallel_end();
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(members, size);
}

int main(void)
{
    int most = omp_get_max_threads();
    for (int round = 0; round < ROUNDS; round++) {
        int members = 0, last = -1, sum = 0;
        stray_end();
#pragma omp parallel
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
