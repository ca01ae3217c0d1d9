// A target region that the runtime is asked for and that runs on the host has its events, with the number
// of the initial device, and no data operations; so have constructs for data and routines. With offload disabled
// the host is the default device too, and its number is 0.
//#Vary:OMP_TARGET_OFFLOAD=default|disabled
//#StockFails:the events of the target construct occur on whatever device it is executed; none comes for the host
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>
#include <stdlib.h>

static int data[64];

int main(void)
{
    int host = omp_get_initial_device(), is_disabled = strcmp(getenv("OMP_TARGET_OFFLOAD"), "disabled") == 0;
    CHECK_EQ(omp_get_num_devices() > 0, !is_disabled);
    CHECK_EQ(host, omp_get_num_devices());
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
    first = event_count;
#pragma omp target data map(tofrom : data) device(host)
    data[1]++;
#pragma omp target enter data map(to : data) device(host)
#pragma omp target update to(data) device(host)
#pragma omp target exit data map(from : data) device(host)
    CHECK_EQ(event_count - first, 10);
    for (int i = first; i < event_count; i++)
        CHECK(events[i].about == TARGET && events[i].device == host);
    first = event_count;
    omp_target_free(omp_target_alloc(64, host), host);
    CHECK(event_count > first);
    for (int i = first; i < event_count; i++)
        CHECK(events[i].about == DATA_OP && events[i].from_device == host && events[i].to_device == host);
    return check_result();
}
