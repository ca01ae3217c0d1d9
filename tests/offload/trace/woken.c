// Traces of two devices start and stop on two threads, so that one is about to wake the delivery thread while
// the other's end lets it end or fall asleep: each stop returns soon.
//#Timeout:60
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { TURNS = 3000, SOON = 5 };

static volatile int is_over;
static volatile long turns;

static void give(int device, ompt_buffer_t **buffer, size_t *bytes)
{
    (void)device;
    *bytes = 4096;
    *buffer = malloc(*bytes);
}

static void take(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t at, int is_owned)
{
    (void)device, (void)bytes, (void)at, (void)is_owned;
    free(buffer);
}

static void *starts_and_stops(void *unused)
{
    while (!is_over) {
        CHECK_EQ(trace.start(device_of[0], give, take), 1);
        double before = omp_get_wtime();
        CHECK_EQ(trace.stop(device_of[0]), 1);
        CHECK(omp_get_wtime() - before < SOON);
        turns++;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    int value = 0;
    tool_at_device = find_functions;
#pragma omp target map(tofrom : value) device(0)
    value++;
#pragma omp target map(tofrom : value) device(1)
    value++;
    need_trace(1);
    CHECK(trace.set_ompt(device_of[1], 1, 0) > ompt_set_impossible);
    pthread_create(&thread, NULL, starts_and_stops, NULL);
    // The other thread may begin late.
    for (int i = 0; i < TURNS || turns == 0; i++) {
        CHECK_EQ(trace.start(device_of[1], give, take), 1);
        if (i % 8 == 0) {
#pragma omp target map(tofrom : value) device(1)
            value++;
            CHECK_EQ(trace.flush(device_of[1]), 1);
        }
        if (i % 3 == 0)
            usleep(i % 50);
        CHECK_EQ(trace.stop(device_of[1]), 1);
    }
    is_over = 1;
    pthread_join(thread, NULL);
    CHECK(turns > 0);
    return check_result();
}
