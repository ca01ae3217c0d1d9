// The map event lists each item of a construct with both addresses, its size and its flags.
//#StockFails:optional in OpenMP (5.1 §4.2.4, 6.0 §32.2.4); it has no map event
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int in[16], out[32], both[8];

static void check_item(int *address, size_t bytes, int flags)
{
    int found = 0;
    for (int i = 0; i < event_count; i++) {
        struct event *event = &events[i];
        if (event->about != MAP || event->from != (char *)address)
            continue;
        found++;
        CHECK_EQ(event->bytes, bytes);
        CHECK_EQ(event->kind & (ompt_target_map_flag_to | ompt_target_map_flag_from), flags);
        CHECK(event->to != NULL && event->to != event->from);
        CHECK(event->target != 0);
    }
    CHECK_EQ(found, 1);
}

int main(void)
{
#pragma omp target map(to : in) map(from : out) map(tofrom : both)
    {
        out[0] = in[0];
        both[0]++;
    }
    check_item(in, sizeof in, ompt_target_map_flag_to);
    check_item(out, sizeof out, ompt_target_map_flag_from);
    check_item(both, sizeof both, ompt_target_map_flag_to | ompt_target_map_flag_from);
    return check_result();
}
