// The number of the initial device that a tool's initializer gets is that of the host, and ompt_get_num_devices
// answers there, also where a routine is the first use of OpenMP.
//#Vary:OXOMP_HOST_DEVICES=0|1|7
//#Vary:OMP_TARGET_OFFLOAD=default|disabled
//#StockFails:it connects to the runtime, and the tool begins, before it has its devices
//#LibompFails:it passes a number of its own for the host
#include "check.h"
#include <omp.h>
#include <omp-tools.h>
#include <stdlib.h>
#include <string.h>

static int told = -77, counted = -77;

static int start(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
    (void)data;
    told = initial_device;
    counted = ((ompt_get_num_devices_t)lookup("ompt_get_num_devices"))();
    return 1;
}

static void finish(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {start, finish, {0}};
    (void)version, (void)runtime;
    return &result;
}

int main(void)
{
    CHECK(omp_get_wtime() > 0);
    int expected = strcmp(getenv("OMP_TARGET_OFFLOAD"), "disabled") == 0 ? 0 : atoi(getenv("OXOMP_HOST_DEVICES"));
    CHECK_EQ(told, expected);
    CHECK_EQ(counted, expected);
    CHECK_EQ(omp_get_num_devices(), expected);
    CHECK_EQ(omp_get_initial_device(), expected);
    int value = 0;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 1);
    return check_result();
}
