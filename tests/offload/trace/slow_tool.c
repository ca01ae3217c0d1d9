// A tool that returns late from both of its functions holds up nobody, and loses nothing.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { KERNELS = 400, NAP_US = 30000 };

static void nap(void)
{
    usleep(NAP_US);
}

static void nap_of(int device)
{
    (void)device;
    nap();
}

int main(void)
{
    int device = omp_get_default_device(), value = 0;
    tool_at_device = trace_all;
    on_request = nap;
    on_complete = nap_of;
    buffer_bytes = 16 << 10;
    double begin = omp_get_wtime(), longest = 0;
    for (int i = 0; i < KERNELS; i++) {
        double before = omp_get_wtime();
#pragma omp target map(tofrom : value)
        value++;
        double took = omp_get_wtime() - before;
        longest = i > 0 && took > longest ? took : longest;
    }
    double ran = omp_get_wtime() - begin;
    need_trace(device);
    CHECK_EQ(trace.stop(device_of[device]), 1);
    double all = omp_get_wtime() - begin;
    CHECK_EQ(records_of(ompt_callback_target_submit), KERNELS);
    CHECK_EQ(records_of(ompt_callback_target), 2 * KERNELS);
    CHECK_EQ(records_of(ompt_callback_target_data_op), 4 * KERNELS);
    CHECK_EQ(buffers_back, buffers_given);
    // Some twenty buffers: the tool needs more than a second, and the program a part of that.
    CHECK(all > 2 * 1e-6 * NAP_US * buffers_back);
    CHECK(ran < all / 2);
    if (check_failures)
        fprintf(stderr, "ran %f of %f, longest %f, %d buffers\n", ran, all, longest, buffers_back);
    return check_result();
}
