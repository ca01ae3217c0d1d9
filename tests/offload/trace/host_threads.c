// Many threads of the host execute kernels at once: no record is lost, each construct's records are in
// order, and each agrees with a callback.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { THREADS = 6, KERNELS = 200 };
// By target ids, which the tool counts from 1 on.
static struct seen {
    int begins, ends, kernels, operations;
    uint64_t thread;
} seen[THREADS * KERNELS * 20];

int main(void)
{
    int device = omp_get_default_device(), total = 0;
    tool_at_device = trace_all;
    buffer_bytes = 4000;
#pragma omp parallel num_threads(THREADS) reduction(+ : total)
    for (int i = 0; i < KERNELS; i++) {
        int mine = 0;
#pragma omp target map(tofrom : mine)
        mine++;
        total += mine;
    }
    CHECK_EQ(total, THREADS * KERNELS);
    need_trace(device);
    CHECK_EQ(trace.stop(device_of[device]), 1);
    CHECK_EQ(buffers_back, buffers_given);
    for (int i = 0; i < record_count; i++) {
        ompt_record_ompt_t *it = &records[i].it;
        CHECK(it->target_id < sizeof seen / sizeof *seen);
        struct seen *construct = &seen[it->target_id];
        if (it->type == ompt_callback_target && it->record.target.endpoint == ompt_scope_begin) {
            construct->begins++;
            construct->thread = it->thread_id;
        }
        CHECK(construct->begins == 1 && construct->ends == 0);
        CHECK_EQ(it->thread_id, construct->thread);
        construct->ends += it->type == ompt_callback_target && it->record.target.endpoint == ompt_scope_end;
        construct->kernels += it->type == ompt_callback_target_submit;
        construct->operations += it->type == ompt_callback_target_data_op;
    }
    int constructs = 0;
    for (int i = 0; i < event_count; i++)
        if (events[i].about == TARGET && events[i].endpoint == ompt_scope_end) {
            constructs++;
            struct seen *construct = &seen[events[i].target];
            CHECK(construct->ends == 1 && construct->kernels == 1 && construct->operations == 4);
        }
    CHECK_EQ(constructs, THREADS * KERNELS);
    return check_result();
}
