// A tool that ends itself in a callback of a construct: the construct ends without its events.
//#StockFails:it keeps the callbacks of its start
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64], at_end = -1;

static void count_events(void)
{
    at_end = event_count;
}

static void end_now(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation, unsigned teams)
{
    (void)target, (void)operation, (void)teams;
    if (endpoint == ompt_scope_begin)
        tool_finalize();
    CHECK_EQ(endpoint, ompt_scope_begin);
}

int main(void)
{
    tool_at_end = count_events;
    tool_set(ompt_callback_target_submit_emi, (ompt_callback_t)end_now);
    for (int turn = 0; turn < 3; turn++) {
#pragma omp target map(tofrom : data)
        data[0]++;
    }
    CHECK_EQ(data[0], 3);
    CHECK(at_end > 0 && event_count == at_end);
    CHECK_EQ(count(0, TARGET, ompt_scope_begin, ompt_target), 1);
    CHECK_EQ(count(0, TARGET, ompt_scope_end, ompt_target), 0);
    return check_result();
}
