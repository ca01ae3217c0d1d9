// A million leagues, with and without regions in their teams, keep no memory.
//#Opt:-O2
//#Timeout:120
//#NotRecorded:more leagues than a log holds
//#NotJittered:a million leagues take too long
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
#include "check.h"
#include "resident.h"
#include <omp.h>

static int visits;

static void task(void)
{
#pragma omp task
    __atomic_fetch_add(&visits, 1, __ATOMIC_RELAXED);
}

static void leagues(int count)
{
    for (int i = 0; i < count; i++) {
#pragma omp teams num_teams(2)
        {
            if (i % 1000 == 0) {
#pragma omp parallel num_threads(2)
                __atomic_fetch_add(&visits, 1, __ATOMIC_RELAXED);
            }
            if (i % 1000 == 1)
                task();
        }
    }
}

int main(void)
{
    leagues(1000);
    CHECK_EQ(visits, 4 + 2);
    visits = 0;
    long before = resident();
    leagues(1000000);
    CHECK_EQ(visits, 1000 * (4 + 2));
    CHECK(resident() - before < 1024);
    return check_result();
}
