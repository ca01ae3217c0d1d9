// Variables and functions that are declared for devices: each device has its own copy, which lives as
// long as the program, begins with the initial value, and changes by update and always only.
//#Env:OXOMP_HOST_DEVICES=4
#include "check.h"
#include <omp.h>

#pragma omp begin declare target
int counter = 5;
int table[10] = {1, 2, 3};
static int next(int step)
{
    counter += step;
    return counter;
}
#pragma omp end declare target

double entered = 2.5;
#pragma omp declare target to(entered)

int main(void)
{
    int devices = omp_get_num_devices(), got[4] = {0}, initial = -1;
    double real = 0;
    CHECK(devices >= 2);
    // Each device counts for itself.
    for (int turn = 0; turn < 3; turn++)
        for (int device = 0; device < 2; device++) {
#pragma omp target device(device) map(from : got)
            got[device] = next(device + 1);
            CHECK_EQ(got[device], 5 + (turn + 1) * (device + 1));
        }
    CHECK_EQ(counter, 5);
    CHECK_EQ(next(100), 105);

    // A map clause neither copies nor ends it.
    counter = 50;
#pragma omp target map(tofrom : counter) map(from : initial)
    initial = counter;
    CHECK_EQ(initial, 8);
    CHECK_EQ(counter, 50);
    CHECK(omp_target_is_present(&counter, 0));
#pragma omp target exit data map(delete : counter)
    CHECK(omp_target_is_present(&counter, 0));

#pragma omp target update to(counter)
#pragma omp target map(from : initial)
    initial = next(1);
    CHECK_EQ(initial, 51);
    CHECK_EQ(counter, 50);
#pragma omp target update from(counter)
    CHECK_EQ(counter, 51);
#pragma omp target map(always, tofrom : counter)
    counter *= 2;
    CHECK_EQ(counter, 102);

#pragma omp target map(from : got, real)
    {
        for (int i = 0; i < 4; i++)
            got[i] = table[i];
        table[9] = 90;
        real = entered;
    }
    CHECK_EQ(got[2], 3);
    CHECK_EQ(got[3], 0);
    CHECK(real == 2.5);
    CHECK_EQ(table[9], 0);
#pragma omp target update from(table[8 : 2])
    CHECK_EQ(table[9], 90);
#pragma omp target device(1) map(from : got)
    got[0] = table[9];
    CHECK_EQ(got[0], 0);
    return check_result();
}
