// Questions about no interoperability object are answered with an error code.
//#StockFails:OpenMP 5.2 §18.12.1: for omp_interop_none the code is omp_irc_empty; it crashes
#include "check.h"
#include <omp.h>

int main(void)
{
    int answer = 1;
    omp_get_interop_int(omp_interop_none, omp_ipr_device_num, &answer);
    CHECK_EQ(answer, omp_irc_empty);
    answer = 1;
    CHECK(omp_get_interop_ptr(omp_interop_none, omp_ipr_device, &answer) == NULL);
    CHECK_EQ(answer, omp_irc_empty);
    answer = 1;
    CHECK(omp_get_interop_str(omp_interop_none, omp_ipr_vendor_name, &answer) == NULL);
    CHECK_EQ(answer, omp_irc_empty);
    return check_result();
}
