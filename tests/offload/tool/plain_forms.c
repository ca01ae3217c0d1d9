// The callbacks without endpoints: constructs have begin and end, transfers and kernels come once, and
// host_op_id tells them apart.
#define TARGET_TOOL 2
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
    for (int turn = 0; turn < 3; turn++) {
        int first = event_count;
#pragma omp target map(tofrom : data)
        data[0]++;
        CHECK_EQ(count(first, TARGET, ompt_scope_begin, ompt_target), 1);
        CHECK_EQ(count(first, TARGET, ompt_scope_end, ompt_target), 1);
        CHECK_EQ(count(first, SUBMIT, 0, 0), 1);
        CHECK_EQ(count(first, DATA_OP, 0, ompt_target_data_alloc), 1);
        CHECK_EQ(count(first, DATA_OP, 0, ompt_target_data_transfer_to_device), 1);
        CHECK_EQ(count(first, DATA_OP, 0, ompt_target_data_transfer_from_device), 1);
        CHECK_EQ(count(first, DATA_OP, 0, ompt_target_data_delete), 1);
        struct event *begin = find(first, TARGET, ompt_scope_begin, ompt_target);
        struct event *end = find(first, TARGET, ompt_scope_end, ompt_target);
        CHECK(begin && end && begin->target != 0 && begin->target == end->target);
        for (struct event *event = begin; event && event < end; event++) {
            if (event->about != DATA_OP && event->about != SUBMIT)
                continue;
            CHECK_EQ(event->target, begin->target);
            CHECK(event->operation != 0);
            for (struct event *other = events; other < event; other++)
                CHECK((other->about != DATA_OP && other->about != SUBMIT) || other->operation != event->operation);
        }
    }
    CHECK_EQ(data[0], 3);
    return check_result();
}
