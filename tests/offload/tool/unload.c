// Images are unloaded before their device is finalised, each that was loaded.
//#StockFails:OpenMP 5.1 §4.2.4 demands the event device_unload; it never comes
//#Stdout:checked
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>
#include <unistd.h>

static void check_unloads(void)
{
    int loaded = 0, unloaded = 0;
    for (int i = 0; i < event_count; i++) {
        loaded += events[i].about == LOAD;
        unloaded += events[i].about == UNLOAD;
        CHECK(events[i].about != FINALIZE || loaded == unloaded);
        for (int k = 0; k < event_count && events[i].about == LOAD; k++)
            CHECK(events[k].about != UNLOAD || events[k].operation != events[i].operation || k > i);
    }
    CHECK(loaded >= 1 && loaded == unloaded);
    if (check_failures)
        _exit(1);
    fputs("checked\n", stdout);
    fflush(stdout);
}

int main(void)
{
    int value = 1;
    tool_at_end = check_unloads;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 2);
    return check_result();
}
