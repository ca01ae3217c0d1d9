/* Regions and tasks to look at with a debugger: a region inside of a region, and in it tasks inside
   of tasks. While `leaf` runs, the other threads are in `busy`. With an argument it never ends. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int at_work, is_done, is_endless;

static void busy(void)
{
    int enough = 0;
#pragma omp atomic
    at_work++;
    while (!enough)
#pragma omp atomic read
        enough = is_done;
}

static void leaf(int depth)
{
    printf("leaf at depth %d\n", depth);
    if (is_endless)
        pause();
}

static void descend(int depth)
{
    if (depth == 2) {
        leaf(depth);
        return;
    }
#pragma omp task
    descend(depth + 1);
#pragma omp taskwait
}

static void descend_while_others_work(int others)
{
    int seen = 0;
    while (seen < others)
#pragma omp atomic read
        seen = at_work;
    descend(0);
#pragma omp atomic write
    is_done = 1;
}

static void inner(void)
{
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        descend_while_others_work(2);
    else
        busy();
}

int main(int argc, char **argv)
{
    is_endless = argc > 1;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        inner();
    else
        busy();
    return 0;
}
