/* Ten regions, pause, ten more, start, ten more, end, ten more: twenty are to be recorded. */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

static volatile int passed[2];

static void regions(void)
{
    for (int region = 0; region < 10; region++) {
#pragma omp parallel num_threads(2)
        passed[omp_get_thread_num()]++;
    }
}

int main(void)
{
    /* gcc 12 does not declare omp_control_tool, and its libgomp does not have it. */
    int (*control)(int, int, void *) =
        (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    if (control == NULL)
        return 1;
    regions();
    int pause = control(2, 0, NULL);
    int again = control(2, 0, NULL);
    regions();
    int start = control(1, 0, NULL);
    int flush = control(3, 0, NULL);
    regions();
    int end = control(4, 0, NULL);
    regions();
    printf("%d %d %d %d %d\n", pause, again, start, flush, end);
    return 0;
}
