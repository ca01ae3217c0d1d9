// Deferred constructs have kinds of their own and belong to target tasks; their begins and ends are
// paired.
//#StockFails:since OpenMP 5.1 a construct with nowait has a kind of ompt_target_t with nowait; it has the plain one
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target enter data map(to : data) nowait depend(inout : data)
#pragma omp target map(alloc : data) nowait depend(inout : data)
        data[0] = 5;
#pragma omp target update from(data) nowait depend(inout : data)
#pragma omp target exit data map(delete : data) nowait depend(inout : data)
    }
    CHECK_EQ(data[0], 5);
    for (int kind = ompt_target_nowait; kind <= ompt_target_update_nowait; kind++) {
        CHECK_EQ(count(0, TARGET, ompt_scope_begin, kind), 1);
        CHECK_EQ(count(0, TARGET, ompt_scope_end, kind), 1);
        struct event *begin = find(0, TARGET, ompt_scope_begin, kind), *end = find(0, TARGET, ompt_scope_end, kind);
        CHECK(begin && end && begin < end && begin->target == end->target && begin->target != 0);
        CHECK(begin && begin->target_task != 0);
    }
    for (int kind = ompt_target; kind <= ompt_target_update; kind++)
        CHECK_EQ(count(0, TARGET, ompt_scope_begin, kind), 0);
    return check_result();
}
