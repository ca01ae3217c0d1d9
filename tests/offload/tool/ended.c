// A tool that ends itself in the middle hears the end of its devices, and nothing afterwards; the program goes
// on.
//#StockFails:it reports the end of devices when the program's last library goes, after the tool
//#LibompFails:it tells the library of its tool's end after the tool's finalizer
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64], at_end = -1;

static void count_events(void)
{
    at_end = event_count;
    CHECK_EQ(count(0, INITIALIZE, 0, 0), 1);
    CHECK_EQ(count(0, LOAD, 0, 0), 1);
    CHECK_EQ(count(0, UNLOAD, 0, 0), 1);
    CHECK_EQ(count(0, FINALIZE, 0, 0), 1);
    struct event *unload = find(0, UNLOAD, 0, 0), *finalize = find(0, FINALIZE, 0, 0);
    CHECK(unload && finalize && unload < finalize && finalize->device == omp_get_default_device());
}

int main(void)
{
    tool_at_end = count_events;
#pragma omp target enter data map(to : data)
#pragma omp target map(tofrom : data)
    data[0]++;
    CHECK_EQ(at_end, -1);
    tool_finalize();
    CHECK(at_end > 0);
#pragma omp target map(tofrom : data)
    data[0]++;
#pragma omp target exit data map(from : data)
    omp_target_free(omp_target_alloc(100, 1), 1);
    CHECK_EQ(data[0], 2);
    CHECK_EQ(event_count, at_end);
    return check_result();
}
