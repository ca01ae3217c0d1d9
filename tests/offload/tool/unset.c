// Callbacks that the tool takes back in the middle, and registers again: they come exactly in between.
//#StockFails:it keeps the callbacks of its start
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64];

static void run(void)
{
#pragma omp target map(tofrom : data)
    data[0]++;
}

int main(void)
{
    run();
    int all = event_count;
    CHECK_EQ(count(0, SUBMIT, ompt_scope_end, 0), 1);
    tool_set(ompt_callback_target_submit_emi, NULL);
    tool_set(ompt_callback_target_emi, NULL);
    run();
    CHECK_EQ(count(all, SUBMIT, ompt_scope_begin, 0), 0);
    CHECK_EQ(count(all, TARGET, ompt_scope_begin, ompt_target), 0);
    CHECK_EQ(count(all, DATA_OP, ompt_scope_end, ompt_target_data_alloc), 1);
    all = event_count;
    tool_set(ompt_callback_target_data_op_emi, NULL);
    tool_set(ompt_callback_target_map_emi, NULL);
    run();
    CHECK_EQ(event_count, all);
    tool_set(ompt_callback_target_emi, (ompt_callback_t)on_target_emi);
    run();
    CHECK_EQ(event_count, all + 2);
    CHECK_EQ(count(all, TARGET, ompt_scope_begin, ompt_target), 1);
    CHECK_EQ(count(all, TARGET, ompt_scope_end, ompt_target), 1);
    CHECK_EQ(data[0], 4);
    return check_result();
}
