// Large loop nests leave no memory behind, and small ones use the same memory again.
//#Opt:-O2
//#Threads:2
//#NotJittered:a hundred thousand loops
//#NotRecorded:the recorder keeps its events in memory
//#Timeout:60
//#NoStderr
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

static long resident_kb(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void loops(int count, int length, int width)
{
    for (int loop = 0; loop < count; loop++) {
#pragma omp parallel
        {
#pragma omp for ordered(1) schedule(static) nowait
            for (int i = 0; i < length; i++) {
#pragma omp ordered depend(source)
            }
#pragma omp for ordered(2) schedule(static)
            for (int i = 0; i < length / 16; i++)
                for (int j = 0; j < width; j++) {
#pragma omp ordered depend(source)
                }
        }
    }
}

int main(void)
{
    loops(4000, 64, 3);
    loops(2, 3000000, 16);
    long before = resident_kb();
    loops(20000, 64, 3);
    loops(8, 3000000, 16);
    CHECK(resident_kb() < before + 1024);
    return check_result();
}
