// What each map type copies at entry and at exit: the host's and the device's copy are two.
#include "check.h"

enum { LENGTH = 100 };

static int host[LENGTH], device[LENGTH];

static void fill(int *values, int first)
{
    for (int i = 0; i < LENGTH; i++)
        values[i] = first + i;
}

int main(void)
{
    int *copy = device;
    // to: in and not out.
    fill(host, 1);
#pragma omp target map(to : host) map(from : copy[0 : LENGTH])
    for (int i = 0; i < LENGTH; i++) {
        copy[i] = host[i];
        host[i] = -1;
    }
    for (int i = 0; i < LENGTH; i++) {
        CHECK_EQ(copy[i], i + 1);
        CHECK_EQ(host[i], i + 1);
    }
    // from: out, also what another construct has written there.
#pragma omp target data map(from : host)
    {
#pragma omp target
        for (int i = 0; i < LENGTH; i++)
            host[i] = 1000 + i;
        CHECK_EQ(host[7], 8);
    }
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(host[i], 1000 + i);
    // tofrom: both ways, and it is what variables without a clause get that are no scalars.
    fill(host, 1);
#pragma omp target map(tofrom : host)
    for (int i = 0; i < LENGTH; i++)
        host[i] *= 2;
#pragma omp target
    for (int i = 0; i < LENGTH; i++)
        host[i] *= 3;
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(host[i], 6 * (i + 1));
    // alloc: neither way; the device's copy lives as long as the construct.
    int sum = 0;
    fill(host, 1);
#pragma omp target data map(alloc : host)
    {
#pragma omp target
        for (int i = 0; i < LENGTH; i++)
            host[i] = 5;
        fill(host, 7);
#pragma omp target map(tofrom : sum)
        for (int i = 0; i < LENGTH; i++)
            sum += host[i];
    }
    CHECK_EQ(sum, 5 * LENGTH);
    CHECK_EQ(host[LENGTH - 1], 7 + LENGTH - 1);
    // The host's changes while the data are on the device are not seen there.
    int scalar = 1, seen = 0;
#pragma omp target data map(tofrom : scalar)
    {
        scalar = 2;
#pragma omp target map(from : seen) map(tofrom : scalar)
        seen = scalar++;
        CHECK_EQ(scalar, 2);
    }
    CHECK_EQ(seen, 1);
    CHECK_EQ(scalar, 2);
    return check_result();
}
