// Functions that run at the end of the program open regions: after main has returned, and after a
// worker has called exit(3) within a region.
//#Env:OMP_NUM_THREADS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:WAY=return|primary|worker
//#NotRecorded:regions follow the end of the tool, and that in which exit is called has no end
//#Status:5
//#Stdout:^first 6\nsecond 1 6\n$
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum_of_numbers(void)
{
    int sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(3)
    for (int i = 1; i < 4; i++)
        sum += i;
    return sum;
}

static void first(void)
{
    printf("first %d\n", sum_of_numbers());
}

static void second(void)
{
    int members = 0;
#pragma omp parallel num_threads(1) reduction(+ : members)
    {
        members++;
#pragma omp barrier
#pragma omp critical
        printf("second %d %d\n", members, sum_of_numbers());
    }
}

int main(void)
{
    const char *way = getenv("WAY");
    int who = strcmp(way, "worker") == 0 ? 2 : strcmp(way, "primary") == 0 ? 0 : -1;
    // The last that is registered comes first.
    atexit(second);
    atexit(first);
#pragma omp parallel
    {
        if (omp_get_thread_num() == who)
            exit(5);
        if (who >= 0) {
#pragma omp barrier
        }
    }
    return 5;
}
