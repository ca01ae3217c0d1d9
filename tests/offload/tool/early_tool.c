//#Part:of host_number_at_load.c
// A tool that is a library: what its initializer got.
#include <omp-tools.h>

int early_told = -77, early_counted = -77;

static int start(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
    (void)data;
    early_told = initial_device;
    early_counted = ((ompt_get_num_devices_t)lookup("ompt_get_num_devices"))();
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
