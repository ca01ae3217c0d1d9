// A target region runs on the device that it names; without a clause it is the default device, and
// the initial device is the host.
//#Env:OXOMP_HOST_DEVICES=4
#include "check.h"
#include <omp.h>

static void runs_on(int device)
{
    int initial = -1;
#pragma omp target device(device) map(from : initial)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, device == omp_get_initial_device());
}

int main(void)
{
    int devices = omp_get_num_devices(), initial = -1;
    int here = 1;
    CHECK(devices >= 2);
    CHECK_EQ(omp_get_initial_device(), devices);
    CHECK(omp_is_initial_device());
    CHECK_EQ(omp_get_device_num(), devices);
    for (int device = 0; device <= devices; device++)
        runs_on(device);
    for (int device = 0; device < devices; device++) {
        omp_set_default_device(device);
#pragma omp target enter data map(to : here) device(device)
#pragma omp target map(from : initial)
        initial = omp_is_initial_device();
        CHECK_EQ(initial, 0);
        CHECK_EQ(omp_target_is_present(&here, device), 1);
#pragma omp target exit data map(delete : here)
        CHECK_EQ(omp_target_is_present(&here, device), 0);
    }
    return check_result();
}
