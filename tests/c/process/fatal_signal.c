// A worker that reads where nothing is ends the program by the signal that it deserves.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#NotRecorded:the tool is not finalized
//#Status:signal 11
#include <omp.h>
#include <sys/resource.h>

static int *volatile nowhere;

int main(void)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
#pragma omp parallel
    {
        if (omp_get_thread_num() == 2)
            *nowhere = 1;
#pragma omp barrier
    }
    return 0;
}
