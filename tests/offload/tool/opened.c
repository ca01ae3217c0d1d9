// Images of a library that the program opens and closes: each time loaded before the first kernel of the
// library, with the association of its variable, and unloaded when the library goes, once each.
//#Library:image.c
//#StockFails:OpenMP 5.1 §4.2.4 demands the event device_unload; it never comes
#define TARGET_TOOL 1
#include "target_tool.h"
#include "opened_library.h"
#include <omp.h>

enum { TURNS = 3 };

int main(void)
{
    int value = 1;
#pragma omp target map(tofrom : value)
    value++;
    for (int turn = 0; turn < TURNS; turn++) {
        int first = event_count;
        void *library = open_library();
        int (*run)(int) = (int (*)(int))dlsym(library, "image_run");
        void *variable = dlsym(library, "image_variable");
        CHECK_EQ(run(value), value + 1);
        struct event *load = find(first, LOAD, 0, 0), *submit = find(first, SUBMIT, ompt_scope_begin, 0);
        struct event *associated = find(first, DATA_OP, ompt_scope_beginend, ompt_target_data_associate);
        CHECK(load && submit && associated && load < associated && associated < submit);
        CHECK_EQ(count(first, LOAD, 0, 0), 1);
        CHECK(associated && associated->from == variable && associated->bytes == 10 * sizeof(int));
        CHECK(load && load->bytes > 0 && load->operation != 0);
        uint64_t module = load ? load->operation : 0;
        first = event_count;
        CHECK_EQ(dlclose(library), 0);
        struct event *unload = find(first, UNLOAD, 0, 0);
        CHECK_EQ(count(first, UNLOAD, 0, 0), 1);
        CHECK(unload && unload->operation == module && unload->device == load->device);
        CHECK_EQ(count(first, FINALIZE, 0, 0), 0);
#pragma omp target map(tofrom : value)
        value++;
    }
    CHECK_EQ(value, TURNS + 2);
    return check_result();
}
