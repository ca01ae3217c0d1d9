// exit(3) by the primary thread inside a region, with the others in a barrier and in a loop.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#NotRecorded:the region has no end
//#Status:3
//#Stdout:^last words\n$
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void last_words(void)
{
    printf("last words\n");
}

int main(void)
{
    atexit(last_words);
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            usleep(20000);
            exit(3);
        }
        if (omp_get_thread_num() == 1)
            for (;;)
                usleep(1000);
#pragma omp barrier
    }
    return 0;
}
