// Nested regions, of other sizes each time, leave no memory behind. The argument is their number.
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Env:OMP_WAIT_POLICY=passive
//#Args:20000
//#Timeout:120
//#NotRecorded:the log would be larger than all others together
//#ReferenceFails:libgomp makes threads for each nested region, for minutes
//#NoStderr
#include "growth.h"
#include <omp.h>

static void regions(long count)
{
    long members = 0, wanted = 0;
#pragma omp parallel num_threads(2) reduction(+ : members, wanted)
    for (long i = 0; i < count / 2; i++) {
        int size = 1 + (int)(i % 3);
#pragma omp parallel num_threads(size) reduction(+ : members)
        members++;
        wanted += size;
    }
    CHECK_EQ(members, wanted);
}

int main(int arguments, char **argument)
{
    omp_set_dynamic(0);
    check_growth(regions, arguments, argument);
    return check_result();
}
