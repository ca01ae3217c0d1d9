// A trace is started and stopped while several threads execute kernels: each record comes once, none
// after the stop, and all of a time when the trace was on.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { THREADS = 4, ROUNDS = 60 };
static int done;
// Kernels that have been executed.
static int executed;

// Waits until the threads have executed some kernels that they began after the call.
static void until_executed_anew(void)
{
    int before = __atomic_load_n(&executed, __ATOMIC_ACQUIRE);
    while (__atomic_load_n(&executed, __ATOMIC_ACQUIRE) < before + 2 * THREADS)
        usleep(100);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    buffer_bytes = 1000;
    ompt_device_t *handle = meet_device(find_functions);
    trace.set_ompt(handle, 1, ompt_callback_target_submit);
    static uint64_t operations[MOST_RECORDS];
#pragma omp parallel num_threads(THREADS + 1)
    {
        if (omp_get_thread_num() == 0) {
            for (int round = 0; round < ROUNDS; round++) {
                ompt_device_time_t from = trace.time(handle);
                int first = record_count;
                CHECK_EQ(trace.start(handle, request, complete), 1);
                usleep(500);
                until_executed_anew();
                if (round % 3 == 0)
                    CHECK_EQ(trace.flush(handle), 1);
                CHECK_EQ(trace.stop(handle), 1);
                ompt_device_time_t to = trace.time(handle);
                CHECK_EQ(buffers_back, buffers_given);
                int last = record_count;
                usleep(100);
                CHECK_EQ(record_count, last);
                for (int i = first; i < last; i++) {
                    ompt_record_target_kernel_t *kernel = &records[i].it.record.target_kernel;
                    // A kernel that began before the trace may be in it.
                    CHECK(kernel->end_time >= from && kernel->end_time <= to);
                    CHECK(records[i].it.time <= kernel->end_time);
                }
            }
            __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
        } else {
            while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
                int mine = 0;
#pragma omp target map(tofrom : mine)
                mine++;
                __atomic_add_fetch(&executed, 1, __ATOMIC_RELEASE);
            }
        }
    }
    CHECK(record_count > ROUNDS);
    for (int i = 0; i < record_count; i++)
        operations[i] = records[i].it.record.target_kernel.host_op_id;
    qsort(operations, record_count, sizeof *operations, compare);
    for (int i = 1; i < record_count; i++)
        CHECK(operations[i] != operations[i - 1]);
    return check_result();
}
