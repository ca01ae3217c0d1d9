// The flags of each map type and modifier, in one map event for each construct that maps.
//#StockFails:optional in OpenMP (5.1 §4.2.4, 6.0 §32.2.4); it has no map event
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64], other[8];

static void check(int first, void *address, size_t bytes, int flags)
{
    int found = 0;
    for (int i = first; i < event_count; i++) {
        struct event *event = &events[i];
        if (event->about != MAP || event->from != (char *)address)
            continue;
        found++;
        CHECK_EQ(event->kind, flags);
        CHECK_EQ(event->bytes, bytes);
        CHECK(event->to != NULL && event->to != event->from && event->code != NULL);
    }
    CHECK_EQ(found, 1);
}

enum { TO = ompt_target_map_flag_to, FROM = ompt_target_map_flag_from, ALLOC = ompt_target_map_flag_alloc };
// The corrected header of OpenMP 5.2.
enum { ALWAYS = 0x40, PRESENT = 0x80, CLOSE = 0x100 };

int main(void)
{
    int first = event_count;
#pragma omp target enter data map(alloc : data)
    check(first, data, sizeof data, ALLOC);

    first = event_count;
#pragma omp target map(always, to : data) map(close, from : other)
    other[0] = data[0];
    check(first, data, sizeof data, TO | ALWAYS);
    check(first, other, sizeof other, FROM | CLOSE);

    first = event_count;
#pragma omp target map(present, alloc : data)
    data[0]++;
    check(first, data, sizeof data, ALLOC | PRESENT);

    first = event_count;
#pragma omp target
    data[0]++;
    check(first, data, sizeof data, TO | FROM | ompt_target_map_flag_implicit);

    first = event_count;
#pragma omp target data map(tofrom : other)
    {
        check(first, other, sizeof other, TO | FROM);
        first = event_count;
    }
    check(first, other, sizeof other, FROM);

    // A motion is no mapping.
    first = event_count;
#pragma omp target update from(data)
    CHECK_EQ(count(first, MAP, 0, FROM), 0);

#pragma omp target enter data map(to : data)
    first = event_count;
#pragma omp target exit data map(release : data)
    check(first, data, sizeof data, ompt_target_map_flag_release);

    first = event_count;
#pragma omp target exit data map(delete : data)
    check(first, data, sizeof data, ompt_target_map_flag_delete);

#pragma omp target enter data map(to : data)
    first = event_count;
#pragma omp target exit data map(from : data)
    check(first, data, sizeof data, FROM);
    if (check_failures)
        print_events(0);
    return check_result();
}
