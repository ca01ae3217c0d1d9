// OMP_TARGET_OFFLOAD=mandatory: a construct for a device that is not there ends the program with a
// message.
//#Env:OMP_TARGET_OFFLOAD=mandatory
//#Stderr:(?i)device
#include "mistake.h"
#include <omp.h>

static void mistake(void)
{
    int ran = 0;
#pragma omp target device(omp_get_num_devices() + 5) map(tofrom : ran)
    ran = 1;
    _exit(ran ? 0 : WENT_ON);
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
