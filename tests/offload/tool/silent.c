// A tool that registers nothing: constructs and routines go on as without it.
#define TARGET_TOOL 0
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
    int device = omp_get_default_device();
#pragma omp target data map(tofrom : data)
    {
#pragma omp target map(alloc : data)
        data[0]++;
#pragma omp target update from(data)
    }
    void *place = omp_target_alloc(100, device);
    CHECK_EQ(omp_target_memcpy(place, data, 100, 0, 0, device, omp_get_initial_device()), 0);
    omp_target_free(place, device);
    CHECK_EQ(data[0], 1);
    CHECK_EQ(event_count, 0);
    return check_result();
}
