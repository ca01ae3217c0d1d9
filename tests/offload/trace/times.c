// The device's clock: it goes on, and its translation is monotonic and agrees with omp_get_wtime.
//#StockFails:OpenMP 5.2 §19.2.5: it passes no look-up for the functions of traces
#define TARGET_TOOL 1
#include "device_trace.h"
#include <omp.h>

enum { TIMES = 10000 };

int main(void)
{
    ompt_device_t *handle = meet_device(find_functions);
    ompt_device_time_t last = 0;
    double last_translated = 0;
    for (int i = 0; i < TIMES; i++) {
        double before = omp_get_wtime();
        ompt_device_time_t time = trace.time(handle);
        double after = omp_get_wtime();
        CHECK(time >= last);
        double translated = trace.translate(handle, time);
        CHECK(translated >= last_translated);
        // LLVM's omp_get_wtime tells whole microseconds.
        CHECK(before - 2e-6 <= translated && translated <= after + 2e-6);
        last = time;
        last_translated = translated;
    }
    // Neighbouring times, and times far ahead.
    for (int i = 0; i < TIMES; i++)
        CHECK(trace.translate(handle, last + i) <= trace.translate(handle, last + i + 1));
    for (int i = 0; i < 40; i++)
        CHECK(trace.translate(handle, last + (1ull << i)) <= trace.translate(handle, last + (2ull << i)));
    return check_result();
}
