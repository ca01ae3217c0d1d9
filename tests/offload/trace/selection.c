// The tool's selection of events: each alone, with the number that it asked for; all at once; none.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

static int value;
static ompt_device_t *handle;

static int recorded(void)
{
    record_count = 0;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(trace.flush(handle), 1);
    return record_count;
}

int main(void)
{
    static const struct {
        ompt_callbacks_t plain, emi;
        int records;
    } pairs[] = {
        {ompt_callback_target, ompt_callback_target_emi, 2},
        {ompt_callback_target_data_op, ompt_callback_target_data_op_emi, 4},
        {ompt_callback_target_submit, ompt_callback_target_submit_emi, 1},
        {ompt_callback_target_map, ompt_callback_target_map_emi, 1},
    };
    handle = meet_device(find_functions);
    CHECK_EQ(trace.start(handle, request, complete), 1);
    CHECK_EQ(recorded(), 0);
    for (int i = 0; i < 4; i++)
        for (int emi = 0; emi < 2; emi++) {
            ompt_callbacks_t event = emi ? pairs[i].emi : pairs[i].plain;
            CHECK_EQ(trace.set_ompt(handle, 1, event), ompt_set_always);
            CHECK(recorded() >= pairs[i].records);
            CHECK_EQ(records_of(event), record_count);
            // Of both the one without endpoints.
            CHECK_EQ(trace.set_ompt(handle, 1, pairs[i].emi), ompt_set_always);
            recorded();
            CHECK_EQ(records_of(event), record_count);
            CHECK_EQ(trace.set_ompt(handle, 0, pairs[i].emi), ompt_set_always);
            CHECK_EQ(trace.set_ompt(handle, 0, event), ompt_set_always);
            CHECK_EQ(recorded(), 0);
        }
    CHECK_EQ(trace.set_ompt(handle, 1, 0), ompt_set_sometimes);
    CHECK(recorded() >= 8);
    CHECK_EQ(trace.set_ompt(handle, 0, ompt_callback_target_data_op), ompt_set_always);
    CHECK_EQ(trace.set_ompt(handle, 0, ompt_callback_target_data_op_emi), ompt_set_always);
    recorded();
    CHECK_EQ(records_of(ompt_callback_target_data_op), 0);
    CHECK_EQ(records_of(ompt_callback_target), 2);
    CHECK_EQ(trace.set_ompt(handle, 0, 0), ompt_set_sometimes);
    CHECK_EQ(recorded(), 0);
    // Events without records.
    CHECK_EQ(trace.set_ompt(handle, 1, ompt_callback_device_load), ompt_set_never);
    CHECK_EQ(trace.set_ompt(handle, 1, ompt_callback_parallel_begin), ompt_set_impossible);
    CHECK_EQ(trace.set_ompt(handle, 1, 1000), ompt_set_error);
    CHECK_EQ(trace.set_ompt(NULL, 1, 0), ompt_set_error);
    CHECK_EQ(recorded(), 0);
    CHECK_EQ(trace.stop(handle), 1);
    return check_result();
}
