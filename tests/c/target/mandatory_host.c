// The host may execute target regions whatever OMP_TARGET_OFFLOAD says if the program names it: by an if
// clause that is false, by its number, or as the default device.
//#Compilers:gcc
//#Vary:OMP_TARGET_OFFLOAD=mandatory|disabled|default
//#NoStderr
//#ReferenceFails:libgomp 12 takes the host for the default device
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int ran = 0, host = omp_get_initial_device();
    int is_mandatory = strcmp(getenv("OMP_TARGET_OFFLOAD"), "mandatory") == 0;
    CHECK_EQ(omp_get_default_device() < -1, is_mandatory);
#pragma omp target map(ran) if (0)
    ran++;
#pragma omp target map(ran) device(host)
    ran++;
#pragma omp target data map(ran) device(host)
    ran++;
    void *memory = omp_target_alloc(8, host);
    CHECK(memory != NULL);
    omp_target_free(memory, -1);
    omp_set_default_device(host);
    CHECK_EQ(omp_get_default_device(), host);
#pragma omp target map(ran)
    ran++;
    CHECK_EQ(ran, 4);
    return check_result();
}
