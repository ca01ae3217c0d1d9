// Routines that code of gcc calls belong to that code, though the runtime passes them on to the library.
//#With:gcc:gcc_part.c
//#StockFails:it takes the address in the runtime for the program's
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

int gcc_uses_routines(void);

int main(void)
{
    int value = 1;
#pragma omp target map(tofrom : value)
    value++;
    int first = event_count;
    CHECK_EQ(gcc_uses_routines(), 0);
    CHECK_EQ(event_count - first, 6);
    for (int i = first; i < event_count; i++) {
        uintptr_t code = (uintptr_t)events[i].code, start = (uintptr_t)gcc_uses_routines;
        CHECK(events[i].about == DATA_OP);
        CHECK(code > start && code - start < 1000);
    }
    if (check_failures)
        print_events(first);
    return check_result();
}
