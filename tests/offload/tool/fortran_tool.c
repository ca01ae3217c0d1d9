//#Part:of codes.f90
// A tool, and the check of the addresses that it has got.
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

// The procedure, and the main program, as flang names them.
void uses_data_(int *values);
void _QQmain(void);

static int is_in_procedure(const void *code)
{
    uintptr_t at = (uintptr_t)code, start = (uintptr_t)uses_data_, other = (uintptr_t)_QQmain;
    return at > start && at - start < 4000 && (other < start || at <= other);
}

int wrong_codes(void)
{
    int constructs = 0, operations = 0;
    for (int i = 0; i < event_count; i++) {
        if (events[i].about != TARGET && events[i].about != DATA_OP && events[i].about != MAP)
            continue;
        constructs += events[i].about == TARGET;
        operations += events[i].about == DATA_OP;
        CHECK(is_in_procedure(events[i].code));
    }
    CHECK_EQ(constructs, 2 * 5);
    // Of the array: allocated, copied there, copied back twice and deleted; of the routines: three.
    CHECK_EQ(operations, 2 * (5 + 3));
    if (check_failures)
        print_events(0);
    return check_result();
}
