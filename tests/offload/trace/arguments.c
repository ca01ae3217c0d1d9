// Arguments that are none get an answer: null, unknown devices, wrong cursors, unknown names.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

static int checked;

static void check_cursors(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin, int is_owned)
{
    ompt_buffer_cursor_t next = begin, right[100];
    int count = 0;
    do
        right[count++] = next;
    while (trace.advance(device_of[device], buffer, bytes, next, &next) && count < 100);
    CHECK(count >= 8 && count < 100);
    // Every other number is no cursor.
    for (ompt_buffer_cursor_t cursor = 0; cursor < bytes + 64; cursor++) {
        int is_right = 0;
        for (int i = 0; i < count; i++)
            is_right |= right[i] == cursor;
        CHECK_EQ(trace.type(buffer, cursor), is_right ? ompt_record_ompt : ompt_record_invalid);
        CHECK_EQ(trace.ompt(buffer, cursor) != NULL, is_right);
        CHECK(trace.native(buffer, cursor, NULL) == NULL);
        int has_next = trace.advance(device_of[device], buffer, bytes, cursor, &next);
        CHECK_EQ(has_next, is_right && cursor != right[count - 1]);
    }
    CHECK_EQ(trace.type(buffer, ~0ull), ompt_record_invalid);
    CHECK_EQ(trace.type(buffer, ~0ull - 7), ompt_record_invalid);
    CHECK_EQ(trace.advance(device_of[device], buffer, bytes, begin, NULL), 0);
    CHECK_EQ(trace.advance(device_of[device], NULL, bytes, begin, &next), 0);
    CHECK_EQ(trace.advance(device_of[device], buffer, 0, begin, &next), 0);
    CHECK_EQ(trace.type(NULL, begin), ompt_record_invalid);
    CHECK(trace.ompt(NULL, begin) == NULL);
    CHECK(trace.native(NULL, begin, NULL) == NULL);
    checked++;
    complete(device, buffer, bytes, begin, is_owned);
}

int main(void)
{
    int value = 0, buffers = -1;
    size_t bytes = 0;
    ompt_device_t *handle = meet_device(find_functions);
    CHECK(device_lookup(NULL) == NULL);
    CHECK(device_lookup("ompt_set_callback") == NULL);
    CHECK(device_lookup("ompt_start_traces") == NULL);
    ompt_device_t *wrong[] = {NULL, (ompt_device_t *)&value};
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(trace.start(wrong[i], request, complete), 0);
        CHECK_EQ(trace.pause(wrong[i], 1), 0);
        CHECK_EQ(trace.flush(wrong[i]), 0);
        CHECK_EQ(trace.stop(wrong[i]), 0);
        CHECK_EQ(trace.time(wrong[i]), 0);
        CHECK(trace.translate(wrong[i], 1) == 0);
        CHECK_EQ(trace.num_procs(wrong[i]), 0);
        CHECK_EQ(trace.set_native(wrong[i], 1, 1), ompt_set_error);
        trace.limits(wrong[i], &buffers, &bytes);
        CHECK(buffers == -1 && bytes == 0);
    }
    CHECK_EQ(trace.start(handle, NULL, complete), 0);
    CHECK_EQ(trace.start(handle, request, NULL), 0);
    CHECK(trace.abstract(NULL) == NULL);
    CHECK_EQ(trace.num_procs(handle), omp_get_num_procs());
    trace.limits(handle, NULL, NULL);
    trace.limits(handle, &buffers, &bytes);
    CHECK(buffers >= 1 && bytes >= sizeof(ompt_record_ompt_t));
    buffer_bytes = 4096;
    CHECK_EQ(trace.set_ompt(handle, 1, 0), ompt_set_sometimes);
    CHECK_EQ(trace.start(handle, request, check_cursors), 1);
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(trace.stop(handle), 1);
    CHECK_EQ(checked, 1);
    return check_result();
}
