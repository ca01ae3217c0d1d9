// quick_exit(3) by the primary thread, and by a worker, within a region; what was registered for it
// opens a region of its own.
//#Env:OMP_NUM_THREADS=4
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:WHO=0|2
//#NotRecorded:the region has no end
//#Status:6
//#Stdout:^last words 2\n$
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void last_words(void)
{
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members += omp_get_num_threads() == 2 ? 1 : 2;
    printf("last words %d\n", members);
    fflush(stdout);
}

static void not_these(void)
{
    printf("exit handlers do not run\n");
}

int main(void)
{
    int who = atoi(getenv("WHO"));
    atexit(not_these);
    at_quick_exit(last_words);
#pragma omp parallel
    {
        if (omp_get_thread_num() == who)
            quick_exit(6);
#pragma omp barrier
    }
    return 0;
}
