// A default device that the environment names is one also where offloading is mandatory: number 0 is
// the host if there is no other device.
//#Compilers:gcc
//#Env:OMP_TARGET_OFFLOAD=mandatory
//#Env:OMP_DEFAULT_DEVICE=0
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    int ran = 0;
    CHECK_EQ(omp_get_default_device(), 0);
#pragma omp target map(ran)
    ran = omp_get_default_device() == 0;
    CHECK(ran);
    return check_result();
}
