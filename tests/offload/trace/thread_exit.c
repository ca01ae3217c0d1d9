// A tool whose function for buffers ends its thread by pthread_exit: its traces end with a message, nobody
// waits for them, and the tool may start them again.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
//#Stderr:the tool has ended the thread that hands over its records; its traces end
//#Timeout:60
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>
#include <pthread.h>

static volatile int exits_in_request, exits_in_complete;
static volatile int delivered;

static void give(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    (void)device;
    if (exits_in_request)
        pthread_exit(NULL);
    *bytes = buffer_bytes;
    *buffer = malloc(buffer_bytes);
}

static void take(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at, int is_owned)
{
    CHECK_EQ(is_owned, 1);
    do
        delivered++;
    while (trace.advance(device_of[device], buffer, bytes, at, &at));
    free(buffer);
    if (exits_in_complete)
        pthread_exit(NULL);
}

static void starts(int device)
{
    CHECK(trace.set_ompt(device_of[device], 1, 0) > ompt_set_impossible);
    CHECK_EQ(trace.start(device_of[device], give, take), 1);
}

static void kernels(int count)
{
    int value = 0;
    for (int i = 0; i < count; i++) {
#pragma omp target map(tofrom : value) device(i % 2)
        value++;
    }
    CHECK_EQ(value, count);
}

int main(void)
{
    tool_at_device = find_functions;
    kernels(2);
    need_trace(1);
    starts(0);
    starts(1);
    for (int turn = 0; turn < 30; turn++) {
        buffer_bytes = turn % 3 == 0 ? 4096 : 1 << 16;
        exits_in_request = turn % 2 == 0;
        exits_in_complete = !exits_in_request;
        kernels(turn % 5 == 0 ? 400 : 4);
        // The records that there are let the thread end, if it has not ended before.
        if (turn % 4 < 2)
            trace.flush(device_of[0]);
        else
            trace.stop(device_of[0]);
        exits_in_request = exits_in_complete = 0;
        // No trace is left: neither that of the other device.
        for (int waited = 0; trace.pause(device_of[1], 0) != 0 && waited < 5000; waited++)
            usleep(1000);
        CHECK_EQ(trace.flush(device_of[1]), 0);
        CHECK_EQ(trace.stop(device_of[0]), 0);
        int before = delivered;
        starts(0);
        starts(1);
        kernels(2);
        CHECK_EQ(trace.flush(device_of[0]), 1);
        CHECK_EQ(trace.flush(device_of[1]), 1);
        CHECK(delivered >= before + 14);
    }
    // The program ends while the thread has just ended.
    exits_in_complete = 1;
    kernels(400);
    trace.flush(device_of[0]);
    return check_result();
}
