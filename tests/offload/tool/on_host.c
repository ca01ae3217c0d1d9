// A target region that the runtime is asked for and that runs on the host has its events, with the number
// of the initial device, and no data operations.
//#StockFails:the events of the target construct occur on whatever device it is executed; none comes for the host
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
    int host = omp_get_initial_device();
    CHECK(omp_get_num_devices() > 0);
    int first = event_count;
#pragma omp target map(tofrom : data) device(host)
    data[0] += omp_is_initial_device();
    CHECK_EQ(data[0], 1);
    CHECK_EQ(count(first, TARGET, ompt_scope_begin, ompt_target), 1);
    CHECK_EQ(count(first, TARGET, ompt_scope_end, ompt_target), 1);
    struct event *begin = find(first, TARGET, ompt_scope_begin, ompt_target);
    CHECK_EQ(begin ? begin->device : -1, host);
    for (int i = first; i < event_count; i++)
        CHECK(events[i].about != DATA_OP);
    return check_result();
}
