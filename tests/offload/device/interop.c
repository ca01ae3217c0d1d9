// Interoperability with the host device: an object can be made, asked and destroyed, and a construct
// without a foreign runtime gives none or one whose device is named.
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
    omp_interop_t object = omp_interop_none;
    int device = omp_get_default_device(), answer = 1;
#pragma omp interop init(targetsync : object) device(device)
    if (object != omp_interop_none) {
        CHECK_EQ(omp_get_interop_int(object, omp_ipr_device_num, &answer), device);
        CHECK_EQ(answer, omp_irc_success);
        omp_get_interop_int(object, 99, &answer);
        CHECK_EQ(answer, omp_irc_out_of_range);
    }
#pragma omp interop use(object)
#pragma omp interop destroy(object)
    CHECK(object == omp_interop_none);
    return check_result();
}
