// Target constructs with nowait and with dependences, among tasks: each piece goes through a chain.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Repeat:2
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string.h>

enum { LENGTH = 50, PIECES = 40 };

struct record {
    char text[40];
    int number;
};

static void chain(int *piece, int waits)
{
    struct record record = {"", 0};
    record.number = piece[0];
#pragma omp target enter data map(to : piece[0 : LENGTH]) nowait depend(out : piece[0])
    // The variables of the construct may be gone when the region runs.
#pragma omp target map(tofrom : piece[0 : LENGTH]) firstprivate(record) nowait depend(inout : piece[0])
    {
        for (int i = 0; i < LENGTH; i++)
            piece[i] += 1;
        if (record.number != 0 && piece[0] != record.number + 1)
            piece[1] = -1;
    }
#pragma omp target update from(piece[0 : LENGTH]) nowait depend(inout : piece[0])
#pragma omp task depend(inout : piece[0])
    for (int i = 0; i < LENGTH; i++)
        piece[i] *= 2;
    if (waits) {
#pragma omp target map(tofrom : piece[0 : LENGTH]) depend(inout : piece[0])
        for (int i = 0; i < LENGTH; i++)
            piece[i] -= 2;
        CHECK_EQ(piece[3] % 2, 0);
    } else {
#pragma omp target map(tofrom : piece[0 : LENGTH]) nowait depend(inout : piece[0])
        for (int i = 0; i < LENGTH; i++)
            piece[i] -= 2;
    }
#pragma omp target exit data map(from : piece[0 : LENGTH]) nowait depend(inout : piece[0])
#pragma omp task depend(inout : piece[0])
    for (int i = 0; i < LENGTH; i++)
        piece[i] /= 2;
    memset(&record, 0xee, sizeof record);
}

int main(void)
{
    static int all[PIECES][LENGTH];
    for (int k = 0; k < PIECES; k++)
        for (int i = 0; i < LENGTH; i++)
            all[k][i] = k * LENGTH + i;
    for (int k = 0; k < PIECES; k++)
        chain(all[k], k % 3 == 0);
#pragma omp taskwait
    for (int round = 0; round < 4; round++) {
#pragma omp parallel
#pragma omp single
        for (int k = 0; k < PIECES; k++)
            chain(all[k], round == 2);
#pragma omp parallel
#pragma omp for
        for (int k = 0; k < PIECES; k++)
            chain(all[k], round == 1);
    }
    for (int k = 0; k < PIECES; k++)
        for (int i = 0; i < LENGTH; i++)
            CHECK_EQ(all[k][i], k * LENGTH + i);
    // Regions in a team: a taskwait and a taskgroup wait for them.
    int done = 0, grouped = 0;
#pragma omp parallel reduction(+ : grouped)
    {
        for (int i = 0; i < 20; i++)
#pragma omp target nowait map(tofrom : done)
            __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
        int mine = 0;
#pragma omp taskgroup
        for (int i = 0; i < 20; i++)
#pragma omp target nowait map(tofrom : mine)
            __atomic_fetch_add(&mine, 1, __ATOMIC_RELAXED);
        grouped += mine;
#pragma omp taskwait
    }
    CHECK_EQ(done, grouped);
    CHECK_EQ(done % 20, 0);
    // In a final task nothing is deferred.
#pragma omp task final(1)
    {
        int at_once = 0;
#pragma omp target nowait map(tofrom : at_once)
        at_once = 1;
        CHECK_EQ(at_once, 1);
    }
    return check_result();
}
