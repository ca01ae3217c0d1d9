// A tool of the 2015 report asks for the devices in its initializer, by both names of the function, and starts
// a trace there: each number of a device has its answer, others have an error, and the trace gets what the
// program does. With offload disabled no number is a device's.
//#Flags:-rdynamic
//#Vary:OMP_TARGET_OFFLOAD=default|disabled
//#StockFails:its connection serves tools of OpenMP 5 only
//#LibompFails:it has no tools of the 2015 report
#include "../../../include/ompt.h"
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static int devices = -1, answers[2][MOST], wrong[3], is_traced;
static const char *types[MOST];
static ompt_target_device_t *handles[MOST];
static ompt_function_lookup_t look_ups[MOST];
static ompt_target_buffer_get_record_type_t record_type;
static ompt_target_advance_buffer_cursor_t advance;
static int native_records;

static void request(int number, ompt_target_buffer_t **buffer, size_t *bytes)
{
    CHECK_EQ(number, 1);
    *bytes = 4096;
    *buffer = malloc(*bytes);
}

static void complete(int number, const ompt_target_buffer_t *buffer, size_t bytes, ompt_target_buffer_cursor_t at,
                     ompt_target_buffer_cursor_t end)
{
    (void)bytes, (void)end;
    CHECK_EQ(number, 1);
    ompt_target_buffer_t *records = (ompt_target_buffer_t *)buffer;
    do
        native_records += record_type(records, at) == ompt_record_native;
    while (advance(records, at, &at) == 0);
    free(records);
}

static void trace(ompt_target_device_t *device, ompt_function_lookup_t look_up)
{
    ompt_target_set_trace_native_t set = (ompt_target_set_trace_native_t)look_up("ompt_target_set_trace_native");
    ompt_target_start_trace_t begin = (ompt_target_start_trace_t)look_up("ompt_target_start_trace");
    record_type = (ompt_target_buffer_get_record_type_t)look_up("ompt_target_buffer_get_record_type");
    advance = (ompt_target_advance_buffer_cursor_t)look_up("ompt_target_advance_buffer_cursor");
    is_traced = set(device, 1, ompt_native_kernel_execution) > 0 && begin(device, request, complete) == 1;
}

static void start(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    (void)runtime, (void)version;
    ompt_get_num_devices_t count = (ompt_get_num_devices_t)lookup("ompt_get_num_devices");
    const char *names[2] = {"ompt_target_get_device_info", "ompt_get_device_info"};
    devices = count();
    for (int name = 0; name < 2; name++) {
        ompt_target_get_device_info_t get = (ompt_target_get_device_info_t)lookup(names[name]);
        for (int i = 0; i < devices && i < MOST; i++)
            answers[name][i] = 1 + get(i, name == 0 ? &types[i] : NULL, &handles[i], &look_ups[i], NULL);
        ompt_target_device_t *none;
        ompt_function_lookup_t nothing;
        int numbers[3] = {devices, -1, MOST + 1000};
        for (int i = 0; i < 3; i++)
            wrong[i] += get(numbers[i], NULL, &none, &nothing, NULL) != 0;
    }
    if (devices > 1)
        trace(handles[1], look_ups[1]);
}

ompt_initialize_fn_t ompt_tool(void)
{
    return start;
}

int main(void)
{
    int value = 0;
    for (int i = 0; i < 3; i++) {
#pragma omp target map(tofrom : value) device(omp_get_num_devices() > 1)
        value++;
    }
    CHECK_EQ(value, 3);
    CHECK_EQ(devices, omp_get_num_devices());
    CHECK_EQ(devices > 1, strcmp(getenv("OMP_TARGET_OFFLOAD"), "default") == 0);
    for (int i = 0; i < devices && i < MOST; i++) {
        CHECK(answers[0][i] == 1 && answers[1][i] == 1);
        CHECK(types[i] != NULL && strlen(types[i]) > 0 && handles[i] != NULL && look_ups[i] != NULL);
        CHECK(i == 0 || handles[i] != handles[i - 1]);
    }
    for (int i = 0; i < 3; i++)
        CHECK_EQ(wrong[i], 2);
    CHECK_EQ(is_traced, devices > 1);
    if (devices > 1) {
        ompt_target_stop_trace_t stop = (ompt_target_stop_trace_t)look_ups[1]("ompt_target_stop_trace");
        CHECK_EQ(stop(handles[1]), 1);
        CHECK_EQ(native_records, 3);
    }
    return check_result();
}
