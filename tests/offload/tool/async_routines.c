// Routines that the program does not wait for are asynchronous operations in target tasks; memory is filled
// by an operation of its own kind; data between devices go by a transfer without direction.
//#StockFails:it reports a copy between devices as one from a device, and fills as copies
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static char data[640];

// The one operation of this kind since `first`, at its begin.
static struct event *one(int first, int kind, size_t bytes)
{
    CHECK_EQ(count(first, DATA_OP, ompt_scope_begin, kind), 1);
    CHECK_EQ(count(first, DATA_OP, ompt_scope_end, kind), 1);
    struct event *event = find(first, DATA_OP, ompt_scope_begin, kind);
    if (event == NULL)
        return &events[MOST_EVENTS - 1];
    CHECK_EQ(event->bytes, bytes);
    CHECK(is_in(event->code, "uses_routines"));
    CHECK_EQ(count(first, DATA_OP, ompt_scope_begin, 0), 0);
    return event;
}

__attribute__((noinline)) void uses_routines(void)
{
    int host = omp_get_initial_device(), device = 0, other = 1;
    char *place = omp_target_alloc(sizeof data, device), *far = omp_target_alloc(sizeof data, other);

    int first = event_count;
    omp_target_memset(place, 7, 500, device);
    struct event *event = one(first, 8, 500);
    CHECK(event->to == place && event->to_device == device && event->from == NULL);

    first = event_count;
    omp_target_memset_async(place + 8, 9, 100, device, 0, NULL);
#pragma omp taskwait
    event = one(first, 24, 100);
    CHECK(event->to == place + 8 && event->target_task != 0);

    first = event_count;
    CHECK_EQ(omp_target_memcpy(far, place, 200, 1, 2, other, device), 0);
    event = one(first, 7, 200);
    CHECK(event->from == place + 2 && event->to == far + 1);
    CHECK(event->from_device == device && event->to_device == other);

    first = event_count;
    omp_target_memcpy_async(data, far, 300, 0, 0, host, other, 0, NULL);
#pragma omp taskwait
    event = one(first, ompt_target_data_transfer_from_device_async, 300);
    CHECK(event->from == far && event->to == data && event->from_device == other && event->to_device == host);
    CHECK(event->target_task != 0);
    CHECK_EQ(data[1], 7);

    first = event_count;
    omp_target_memcpy_async(place, data, 64, 0, 0, device, host, 0, NULL);
#pragma omp taskwait
    event = one(first, ompt_target_data_transfer_to_device_async, 64);
    CHECK(event->from == data && event->to == place);

    // A rectangle is one operation from its first element on, with the bytes of all of its rows.
    size_t volume[] = {3, 4}, to_at[] = {1, 2}, from_at[] = {0, 1}, to_size[] = {8, 10}, from_size[] = {4, 16};
    first = event_count;
    CHECK_EQ(omp_target_memcpy_rect(place, data, 2, 2, volume, to_at, from_at, to_size, from_size, device, host), 0);
    event = one(first, ompt_target_data_transfer_to_device, 24);
    CHECK(event->to == place + 2 * (10 + 2) && event->from == data + 2 * 1);

    first = event_count;
    omp_target_memcpy_rect_async(place, data, 2, 2, volume, to_at, from_at, to_size, from_size, device, host, 0, NULL);
#pragma omp taskwait
    one(first, ompt_target_data_transfer_to_device_async, 24);

    omp_target_free(place, device);
    omp_target_free(far, other);
}

//#Flags:-rdynamic
int main(void)
{
    CHECK(omp_get_num_devices() > 1);
    uses_routines();
    for (int i = 0; i < event_count; i++)
        CHECK(events[i].about != TARGET && events[i].about != SUBMIT);
    if (check_failures)
        print_events(0);
    return check_result();
}
