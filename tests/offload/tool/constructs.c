// The callbacks with endpoints of each construct that is not deferred: kinds, pairs, order, ids,
// addresses, sizes, devices, and return addresses in the function that has the construct.
//#Flags:-rdynamic
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

enum { LENGTH = 100, BYTES = LENGTH * sizeof(int) };

static int data[LENGTH];

__attribute__((noinline)) void has_target(void)
{
#pragma omp target map(tofrom : data)
    for (int i = 0; i < LENGTH; i++)
        data[i]++;
}

__attribute__((noinline)) void has_enter_data(void)
{
#pragma omp target enter data map(to : data)
}

__attribute__((noinline)) void has_update(void)
{
#pragma omp target update from(data)
}

__attribute__((noinline)) void has_exit_data(void)
{
#pragma omp target exit data map(delete : data)
}

__attribute__((noinline)) void has_data(void)
{
#pragma omp target data map(tofrom : data)
    data[0]++;
}

// All events since `first` are of one construct on this thread; it begins and ends with it.
static void check_construct(int first, int begin, int end, int kind, const char *function)
{
    struct event *b = &events[begin], *e = &events[end];
    CHECK(b->about == TARGET && b->endpoint == ompt_scope_begin && b->kind == kind);
    CHECK(e->about == TARGET && e->endpoint == ompt_scope_end && e->kind == kind);
    CHECK_EQ(b->device, omp_get_default_device());
    CHECK_EQ(e->device, b->device);
    CHECK(b->task != 0 && b->task == e->task);
    CHECK(b->target != 0 && b->target == e->target);
    CHECK(is_in(b->code, function));
    CHECK(b->code == e->code);
    for (int i = begin + 1; i < end; i++) {
        struct event *inner = &events[i];
        CHECK(inner->about != TARGET);
        if (inner->about == INITIALIZE || inner->about == LOAD || inner->about == MAP)
            continue;
        CHECK_EQ(inner->target, b->target);
        if (inner->about == DATA_OP)
            CHECK(is_in(inner->code, function));
        if (inner->endpoint != ompt_scope_begin)
            continue;
        // Its end follows, with the same id and the same arguments.
        int at = i + 1;
        while (at < end && (events[at].about != inner->about || events[at].operation != inner->operation))
            at++;
        CHECK(at < end && events[at].endpoint == ompt_scope_end);
        CHECK(inner->operation != 0 && events[at].kind == inner->kind && events[at].bytes == inner->bytes);
        for (int k = first; k < i; k++)
            CHECK(events[k].about != inner->about || events[k].operation != inner->operation);
    }
    if (check_failures)
        print_events(first);
}

static int bounds(int first, int which)
{
    int at = -1;
    for (int i = first; i < event_count; i++)
        if (events[i].about == TARGET && (at < 0 || which))
            at = i;
    return at;
}

// The operation stands alone of its kind; its begin and end have the arguments given.
static struct event *check_transfer(int first, int kind, int from_device, int to_device)
{
    struct event *begin = find(first, DATA_OP, ompt_scope_begin, kind), *end = find(first, DATA_OP, ompt_scope_end, kind);
    CHECK(begin != NULL && end != NULL && count(first, DATA_OP, ompt_scope_begin, kind) == 1);
    if (begin == NULL || end == NULL)
        return NULL;
    CHECK_EQ(begin->bytes, BYTES);
    CHECK_EQ(begin->from_device, from_device);
    CHECK_EQ(begin->to_device, to_device);
    return end;
}

int main(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    has_target();
    int first = 0;
    check_construct(first, bounds(first, 0), bounds(first, 1), ompt_target, "has_target");
    struct event *to = check_transfer(first, ompt_target_data_transfer_to_device, host, device);
    struct event *from = check_transfer(first, ompt_target_data_transfer_from_device, device, host);
    struct event *alloc = find(first, DATA_OP, ompt_scope_end, ompt_target_data_alloc);
    struct event *gone = find(first, DATA_OP, ompt_scope_begin, ompt_target_data_delete);
    struct event *submit = find(first, SUBMIT, ompt_scope_begin, 0);
    CHECK(to && from && alloc && gone && submit);
    if (to && from && alloc && gone && submit) {
        CHECK(alloc < to && to < submit && submit < from && from < gone);
        CHECK(to->from == (char *)data && from->to == (char *)data);
        CHECK(to->to == from->from && to->to == alloc->to && to->to != (char *)data);
        CHECK_EQ(alloc->bytes, BYTES);
        CHECK_EQ(alloc->to_device, device);
        CHECK_EQ(submit->teams, 1);
    }
    CHECK_EQ(count(first, SUBMIT, ompt_scope_end, 0), 1);

    first = event_count;
    has_enter_data();
    check_construct(first, bounds(first, 0), bounds(first, 1), ompt_target_enter_data, "has_enter_data");
    check_transfer(first, ompt_target_data_transfer_to_device, host, device);
    CHECK_EQ(count(first, DATA_OP, ompt_scope_end, ompt_target_data_alloc), 1);
    first = event_count;
    has_enter_data();
    check_construct(first, bounds(first, 0), bounds(first, 1), ompt_target_enter_data, "has_enter_data");
    CHECK_EQ(count(first, DATA_OP, ompt_scope_end, ompt_target_data_transfer_to_device), 0);
    first = event_count;
    has_update();
    check_construct(first, bounds(first, 0), bounds(first, 1), ompt_target_update, "has_update");
    check_transfer(first, ompt_target_data_transfer_from_device, device, host);
    first = event_count;
    has_target();
    CHECK_EQ(count(first, SUBMIT, ompt_scope_end, 0), 1);
    int operations = 0;
    for (int i = first; i < event_count; i++)
        operations += events[i].about == DATA_OP;
    CHECK_EQ(operations, 0);
    first = event_count;
    has_exit_data();
    check_construct(first, bounds(first, 0), bounds(first, 1), ompt_target_exit_data, "has_exit_data");
    CHECK_EQ(count(first, DATA_OP, ompt_scope_end, ompt_target_data_delete), 1);
    CHECK_EQ(count(first, DATA_OP, ompt_scope_end, ompt_target_data_transfer_from_device), 0);

    // target data is an enter data at its begin and an exit data at its end.
    first = event_count;
    has_data();
    CHECK_EQ(count(first, TARGET, ompt_scope_begin, ompt_target_enter_data), 1);
    CHECK_EQ(count(first, TARGET, ompt_scope_end, ompt_target_enter_data), 1);
    CHECK_EQ(count(first, TARGET, ompt_scope_begin, ompt_target_exit_data), 1);
    CHECK_EQ(count(first, TARGET, ompt_scope_end, ompt_target_exit_data), 1);
    check_transfer(first, ompt_target_data_transfer_to_device, host, device);
    check_transfer(first, ompt_target_data_transfer_from_device, device, host);
    for (int which = ompt_callback_target_emi; which <= ompt_callback_target_submit_emi; which++)
        CHECK_EQ(tool_results[which], ompt_set_always);
    return check_result();
}
