// Under taskset(1) the processors that are left are counted, and teams have so many threads.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#NoStderr
#include "bound.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc == 1) {
        char list[16];
        snprintf(list, sizeof list, "%d", processor_at(1));
        execlp("taskset", "taskset", "-c", list, argv[0], "again", (char *)NULL);
        perror("taskset");
        return 2;
    }
    int size = 0;
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_max_threads(), 1);
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 1);
#pragma omp parallel num_threads(3)
    CHECK_EQ(only_processor(), processor_at(1));
    return check_result();
}
