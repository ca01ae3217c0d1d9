// A device is initialised before any construct on it, its image is loaded before its first kernel, and it
// is finalised once, after everything else.
//#Env:OXOMP_HOST_DEVICES=4
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>
#include <unistd.h>

static int data[64], devices;

static int first_of(enum about about, int device)
{
    for (int i = 0; i < event_count; i++)
        if (events[i].about == about && events[i].device == device)
            return i;
    return -1;
}

static void check_life(void)
{
    int finalized = 0;
    for (int device = 0; device < 2; device++) {
        int initialize = first_of(INITIALIZE, device), load = first_of(LOAD, device);
        int target = first_of(TARGET, device), finalize = first_of(FINALIZE, device);
        CHECK(initialize >= 0 && load > initialize && finalize > load && finalize > target);
        // The first construct may have begun when the image is loaded; its kernel has not.
        struct event *submit = find(target, SUBMIT, ompt_scope_begin, 0);
        CHECK(target > initialize && submit != NULL && submit > &events[load]);
        CHECK(events[load].bytes > 0 && events[initialize].bytes > 0);
    }
    for (int i = 0; i < event_count; i++) {
        finalized += events[i].about == FINALIZE;
        CHECK(!finalized || (events[i].about != TARGET && events[i].about != SUBMIT));
        for (int k = 0; k < i; k++)
            CHECK((events[i].about != FINALIZE && events[i].about != INITIALIZE) || events[k].about != events[i].about
                  || events[k].device != events[i].device);
    }
    CHECK(finalized >= 2 && finalized <= devices);
    fflush(stdout);
    if (check_failures) {
        print_events(0);
        _exit(1);
    }
    fputs("checked\n", stdout);
    fflush(stdout);
}

//#Stdout:checked
int main(void)
{
    tool_at_end = check_life;
    devices = omp_get_num_devices();
    for (int device = 0; device < 2; device++) {
#pragma omp target map(tofrom : data) device(device)
        data[0]++;
    }
    CHECK_EQ(data[0], 2);
    return check_result();
}
