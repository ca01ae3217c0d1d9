// The devices are those of the offload runtime, and the host's number comes after them. The program plays
// that runtime; its own definition answers the first call.
//#Compilers:clang
//#Flags:-rdynamic
//#NoStderr
#include "check.h"
#include <omp.h>

void __tgt_register_lib(void *description)
{
    (void)description;
}

int omp_get_num_devices(void)
{
    return 3;
}

int main(void)
{
    CHECK_EQ(omp_get_num_devices(), 3);
    CHECK_EQ(omp_get_initial_device(), 3);
    CHECK_EQ(omp_get_device_num(), 3);
    CHECK(omp_is_initial_device());
    return check_result();
}
