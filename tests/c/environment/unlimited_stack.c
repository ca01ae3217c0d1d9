// Where the stack of the process has no limit workers still get a large one.
//#Flags:-D_GNU_SOURCE
//#Needs:unlimited stack
//#ReferenceFails:2 MiB in libgomp; in libomp 64 MiB if there was no limit before main
//#NotRecorded:the runtime must not have begun
//#NotEmulated:the emulator limits the stack
#include "check.h"
#include <omp.h>
#include <string.h>
#include <sys/resource.h>

static char deep(int level)
{
    volatile char block[1 << 20];
    memset((char *)block, level, sizeof block);
    return level == 0 ? block[4096] : (char)(deep(level - 1) + block[level]);
}

int main(void)
{
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
    limit.rlim_cur = RLIM_INFINITY;
    CHECK_EQ(setrlimit(RLIMIT_STACK, &limit), 0);
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    if (omp_get_thread_num() == 1)
        sum = deep(32);
    CHECK_EQ(sum, (char)(32 * 33 / 2));
    return check_result();
}
