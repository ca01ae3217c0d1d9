// The same where gcc calls the runtime: places are functions with offsets.
//#Compilers:gcc
//#Flags:-g -fno-inline
//#Opt:-O0,-O2
//#Env:OMP_NUM_THREADS=2
//#Env:KMP_CONSISTENCY_CHECK=all
//#Status:1
//#Stderr:^OMP: Error: wait_for_all\+0x[0-9a-f]+ \(\S+\): barrier is wrongly nested in worksharing loop at main\+0x[0-9a-f]+ \(\S+\)\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:libgomp has no check
#include <omp.h>

static void wait_for_all(void)
{
#pragma omp barrier
    __asm__ volatile("");
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 2; i++)
            wait_for_all();
    }
    return 0;
}
