// A thread_limit clause counts on the device also where it says what the host's limit is.
//#Env:OMP_THREAD_LIMIT=8
//#Env:OMP_THREAD_LIMIT_DEV=20
//#StockFails:it has no variables for devices
//#LibompFails:the kernel's threads are those of the host's limit
#include "check.h"

static int limited(int limit)
{
    int members = 0;
#pragma omp target map(tofrom : members) thread_limit(limit)
#pragma omp parallel num_threads(30)
#pragma omp atomic
    members++;
    return members;
}

static int unlimited(void)
{
    int members = 0;
#pragma omp target map(tofrom : members)
#pragma omp parallel num_threads(30)
#pragma omp atomic
    members++;
    return members;
}

int main(void)
{
    CHECK_EQ(unlimited(), 20);
    CHECK_EQ(limited(8), 8);
    CHECK_EQ(limited(7), 7);
    CHECK_EQ(limited(12), 12);
    CHECK_EQ(unlimited(), 20);
    return check_result();
}
