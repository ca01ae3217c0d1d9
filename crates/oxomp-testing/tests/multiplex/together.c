/* Two threads of a region each call omp_control_tool(77, thread number, &arrived), in which a tool
 * of meets.c ends; regions before and after. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

static int count;

static void work(void) {
    for (int at = 0; at < 20; at++) {
#pragma omp parallel num_threads(2)
#pragma omp critical
        count++;
    }
}

int main(void) {
    atomic_int arrived = 0;
    work();
#pragma omp parallel num_threads(2)
    omp_control_tool(77, omp_get_thread_num(), &arrived);
    work();
    printf("count=%d\n", count);
    return 0;
}
