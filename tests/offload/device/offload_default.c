// OMP_TARGET_OFFLOAD=default, in any case of letters: devices are used.
//#Vary:OMP_TARGET_OFFLOAD=default|DEFAULT|Mandatory
#include "check.h"
#include <omp.h>

int main(void)
{
    int initial = -1;
    CHECK(omp_get_num_devices() > 0);
#pragma omp target map(from : initial)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, 0);
    return check_result();
}
