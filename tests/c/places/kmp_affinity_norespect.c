// KMP_AFFINITY=norespect takes the processors that the process has not been given.
//#Flags:-D_GNU_SOURCE
//#Compilers:clang
//#Needs:2 processors
//#Vary:KMP_AFFINITY=norespect,compact|norespect,none
//#NotRecorded:the runtime must not have begun
#include "bound.h"
#include <string.h>
#include <unistd.h>

int main(void)
{
    run_only_on(processor_at(1));
    int all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    CHECK_EQ(omp_get_num_procs(), all);
    int is_bound = strstr(getenv("KMP_AFFINITY"), "compact") != NULL;
#pragma omp parallel
    CHECK_EQ(my_processors(), is_bound ? 1 : all);
    return check_result();
}
