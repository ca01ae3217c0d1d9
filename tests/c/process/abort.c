// A program that aborts inside a region dies of its signal.
//#Env:OMP_NUM_THREADS=4
//#NotRecorded:the tool is not finalized
//#Status:signal 6
#include <omp.h>
#include <stdlib.h>

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 1)
            abort();
#pragma omp barrier
    }
    return 0;
}
