// Routines for device memory are reported as data operations, outside of constructs, from the function
// that calls them.
//#Flags:-rdynamic
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static char data[640];

__attribute__((noinline)) void uses_routines(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    char *place = omp_target_alloc(sizeof data, device);
    CHECK_EQ(omp_target_memcpy(place, data, 600, 20, 40, device, host), 0);
    CHECK_EQ(omp_target_memcpy(data, place, 500, 0, 0, host, device), 0);
    omp_target_free(place, device);

    struct event *alloc = find(0, DATA_OP, ompt_scope_end, ompt_target_data_alloc);
    struct event *to = find(0, DATA_OP, ompt_scope_begin, ompt_target_data_transfer_to_device);
    struct event *from = find(0, DATA_OP, ompt_scope_begin, ompt_target_data_transfer_from_device);
    struct event *gone = find(0, DATA_OP, ompt_scope_begin, ompt_target_data_delete);
    CHECK(alloc && to && from && gone);
    if (!alloc || !to || !from || !gone)
        return;
    CHECK_EQ(alloc->bytes, sizeof data);
    CHECK(alloc->to == place);
    CHECK_EQ(alloc->to_device, device);
    CHECK_EQ(to->bytes, 600);
    CHECK(to->from == data + 40 && to->to == place + 20);
    CHECK(to->from_device == host && to->to_device == device);
    CHECK_EQ(from->bytes, 500);
    CHECK(from->from == place && from->to == data);
    CHECK(from->from_device == device && from->to_device == host);
    CHECK(gone->from == place || gone->to == place);
    CHECK(alloc < to && to < from && from < gone);
}

int main(void)
{
    uses_routines();
    int operations = 0;
    for (int i = 0; i < event_count; i++) {
        CHECK(events[i].about != TARGET && events[i].about != SUBMIT);
        if (events[i].about != DATA_OP)
            continue;
        operations++;
        CHECK(is_in(events[i].code, "uses_routines"));
    }
    CHECK_EQ(operations, 8);
    if (check_failures)
        print_events(0);
    return check_result();
}
