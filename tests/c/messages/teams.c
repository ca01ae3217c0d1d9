// Clauses of a teams construct with numbers that it cannot have: one line each, and the league has
// one team, or teams of one thread.
//#Flags:-fno-inline
//#Opt:-O2
//#Env:OMP_NUM_THREADS=3
//#Stderr:^OMP: Warning: count[.\w]*\+0x[0-9a-f]+ \(\S+\): teams: num_teams\(-2\) is not positive; 1 is used\n
//#Stderr:\nOMP: Warning: limited[.\w]*\+0x[0-9a-f]+ \(\S+\): teams: thread_limit\(-3\) is not positive; 1 is used\n
//#Stderr:^(.*\n){2}$
//#ReferenceFails:libgomp says nothing, libomp has another text
#include "check.h"
#include <omp.h>

static int count(int number)
{
    int teams = 0;
#pragma omp teams num_teams(number) reduction(+ : teams)
    teams++;
    return teams;
}

static int threads(void)
{
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

static int limited(int number)
{
    int size = 0;
#pragma omp teams num_teams(2) thread_limit(number) reduction(max : size)
    size = threads();
    return size;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        CHECK_EQ(count(-2), 1);
        CHECK_EQ(limited(-3), 1);
        // No number says nothing.
        CHECK_EQ(count(0), 1);
        CHECK_EQ(limited(0), 3);
    }
    return check_result();
}
