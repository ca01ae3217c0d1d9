// Target tasks in graphs of dependences with host tasks: chains, a diamond, and many at once, in and
// outside of parallel regions.
//#Threads:1,4
//#LibompFails:it ends in an assertion of its own (kmp_tasking.cpp) for detached target tasks, now and then
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { CHAINS = 40, LINKS = 5, LENGTH = 64 };

static int data[CHAINS][LENGTH];

static void chain(int which)
{
    int *piece = data[which];
#pragma omp target enter data map(to : piece[0 : LENGTH]) nowait depend(inout : piece[0])
    for (int link = 0; link < LINKS; link++) {
#pragma omp target teams distribute parallel for map(tofrom : piece[0 : LENGTH]) nowait depend(inout : piece[0])
        for (int i = 0; i < LENGTH; i++)
            piece[i] = piece[i] * 3 + which;
#pragma omp target update from(piece[0 : LENGTH]) nowait depend(inout : piece[0])
#pragma omp task depend(inout : piece[0])
        for (int i = 0; i < LENGTH; i++)
            piece[i] += 1;
#pragma omp target update to(piece[0 : LENGTH]) nowait depend(inout : piece[0])
    }
#pragma omp target exit data map(from : piece[0 : LENGTH]) nowait depend(inout : piece[0])
}

static void check(int first)
{
    for (int which = 0; which < CHAINS; which++)
        for (int i = 0; i < LENGTH; i++) {
            int wanted = first + i;
            for (int link = 0; link < LINKS; link++)
                wanted = wanted * 3 + which + 1;
            CHECK_EQ(data[which][i], wanted);
            data[which][i] = first + 1 + i;
        }
}

int main(void)
{
    for (int which = 0; which < CHAINS; which++)
        for (int i = 0; i < LENGTH; i++)
            data[which][i] = i;
    for (int which = 0; which < CHAINS; which++)
        chain(which);
#pragma omp taskwait
    check(0);
#pragma omp parallel
#pragma omp single
    for (int which = 0; which < CHAINS; which++)
        chain(which);
    check(1);
#pragma omp parallel for
    for (int which = 0; which < CHAINS; which++)
        chain(which);
    check(2);

    // Two branches of which one is on the host, joined.
    int a = 1, b = 0, c = 0, d = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target map(tofrom : a) depend(out : a) nowait
        a += 4;
#pragma omp target map(to : a) map(from : b) depend(in : a) depend(out : b) nowait
        b = a * 10;
#pragma omp task depend(in : a) depend(out : c)
        c = a * 100;
#pragma omp target map(to : b, c) map(from : d) depend(in : b, c) depend(out : d)
        d = b + c;
        // A construct without nowait has been waited for.
        CHECK_EQ(d, 550);
    }
    return check_result();
}
