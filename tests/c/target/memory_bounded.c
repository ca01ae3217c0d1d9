// A hundred thousand target regions, deferred ones among them, need no more memory than a thousand.
//#Compilers:gcc
//#Threads:2
//#Timeout:60
//#NotRecorded:more events than a log holds
//#ReferenceFails:libgomp starts threads for each region
//#NotEmulated:the emulator's own memory counts
#include "check.h"
#include "resident.h"
#include <omp.h>

struct record {
    double numbers[100];
};

static int regions(int count)
{
    struct record record = {{1}};
    int ran = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp target map(tofrom : ran) firstprivate(record)
#pragma omp parallel num_threads(2)
#pragma omp masked
        ran += record.numbers[0] == 1;
#pragma omp target map(tofrom : ran) nowait depend(inout : ran)
        __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
#pragma omp target enter data map(to : ran) nowait depend(inout : ran)
#pragma omp taskwait
    }
    return ran;
}

int main(void)
{
    CHECK_EQ(regions(1000), 2000);
    long before = resident();
    CHECK_EQ(regions(50000), 100000);
    CHECK(resident() - before < 1024);
    return check_result();
}
