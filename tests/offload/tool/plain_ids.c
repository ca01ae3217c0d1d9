// target_id of the callback without endpoints is the same at begin and end, never 0, and another for each
// region of every kind.
//#StockFails:the argument target_id of the callback target identifies the region; it is 0 for each enter data
#define TARGET_TOOL 2
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
    for (int turn = 0; turn < 3; turn++) {
#pragma omp target enter data map(to : data)
#pragma omp target map(tofrom : data)
        data[0]++;
#pragma omp target update from(data)
#pragma omp target exit data map(delete : data)
    }
    int constructs = 0;
    uint64_t last = 0;
    for (int i = 0; i < event_count; i++) {
        struct event *event = &events[i];
        if (event->about != TARGET)
            continue;
        CHECK(event->target != 0);
        if (event->endpoint == ompt_scope_begin) {
            constructs++;
            for (int k = 0; k < i; k++)
                CHECK(events[k].about != TARGET || events[k].target != event->target);
            last = event->target;
        } else
            CHECK_EQ(event->target, last);
    }
    CHECK_EQ(constructs, 12);
    return check_result();
}
