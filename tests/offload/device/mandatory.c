// OMP_TARGET_OFFLOAD=mandatory: constructs run on the device, and an if clause may still choose the host.
//#Env:OMP_TARGET_OFFLOAD=mandatory
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    int initial = -1, no = atoi("0");
    CHECK(omp_get_num_devices() > 0);
#pragma omp target map(from : initial)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, 0);
#pragma omp target if (no) map(from : initial)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, 1);
    return check_result();
}
