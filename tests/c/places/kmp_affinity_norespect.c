// KMP_AFFINITY=norespect takes the processors that the process has not been given.
//#Flags:-D_GNU_SOURCE
//#Compilers:clang
//#Vary:KMP_AFFINITY=norespect,compact|norespect,none
//#NotRecorded:the runtime must not have begun
#include "bound.h"
#include <string.h>
#include <unistd.h>

int main(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(1, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    int all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    CHECK_EQ(omp_get_num_procs(), all);
    int is_bound = strstr(getenv("KMP_AFFINITY"), "compact") != NULL;
#pragma omp parallel
    CHECK_EQ(my_processors(), is_bound ? 1 : all);
    return check_result();
}
