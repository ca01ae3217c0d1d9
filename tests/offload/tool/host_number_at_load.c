// A tool in a library begins before main, when the program's images have been registered: the number of the initial
// device that it gets is that of the host. The runtime reads its environment later, at its first use.
//#Library:early_tool.c
//#Vary:OMP_TARGET_OFFLOAD=default|disabled
//#StockFails:it connects to the runtime, and the tool begins, before it has its devices
//#LibompFails:its tool begins at the first use of the runtime
#include "check.h"
#include "opened_library.h"
#include <omp.h>

int main(int count, char **arguments)
{
    (void)count;
    if (getenv("OMP_TOOL_LIBRARIES") == NULL) {
        setenv("OMP_TOOL_LIBRARIES", getenv("TEST_LIBRARY"), 1);
        execv("/proc/self/exe", arguments);
        return 1;
    }
    void *tool = open_library();
    int told = *(int *)dlsym(tool, "early_told"), counted = *(int *)dlsym(tool, "early_counted"), threads = 0;
    setenv("OMP_NUM_THREADS", "3", 1);
#pragma omp parallel reduction(+ : threads)
    threads++;
    CHECK_EQ(threads, 3);
    CHECK_EQ(told, omp_get_initial_device());
    CHECK_EQ(counted, omp_get_num_devices());
    int value = 0;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 1);
    return check_result();
}
