// Threads that cannot be had: one line with reason and numbers; the team is smaller, the program goes on,
// regions do not become slow, and the threads come when there is room again.
//#Flags:-g
//#Opt:-O0
//#Env:OMP_STACKSIZE=64M
//#Env:OMP_WAIT_POLICY=passive
//#Stderr[gcc]:^OMP: Warning: main\+0x[0-9a-f]+ \(\S+\): parallel: the team has \d of the 30 threads asked for: cannot create a thread: Resource temporarily unavailable .*OMP_NUM_THREADS, OMP_STACKSIZE.*\n$
//#Stderr[clang]:^OMP: Warning: main\+0x[0-9a-f]+ \(\S+\): parallel: the team has \d of the 30 threads asked for: cannot create a thread: Resource temporarily unavailable .*OMP_NUM_THREADS, OMP_STACKSIZE.*\n$
//#NotRecorded:the recorder has a thread's worth of memory of its own
//#ReferenceFails:libgomp and libomp end the program
//#NotEmulated:RLIMIT_AS limits the emulator, not the program
#include "check.h"
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

static long address_space(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        return 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

int main(void)
{
    int size = 0;
#pragma omp parallel num_threads(2)
    size = omp_get_num_threads();
    CHECK_EQ(size, 2);
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    struct rlimit narrow = { address_space() + (200L << 20), limit.rlim_max };
    setrlimit(RLIMIT_AS, &narrow);
    for (int i = 0; i < 1000; i++) {
#pragma omp parallel num_threads(30)
        {
#pragma omp single
            size = omp_get_num_threads();
        }
        CHECK(size >= 2 && size < 10);
    }
    setrlimit(RLIMIT_AS, &limit);
    sleep(2);
#pragma omp parallel num_threads(30)
    {
#pragma omp single
        size = omp_get_num_threads();
    }
    CHECK_EQ(size, 30);
    return check_result();
}
