// What the tool is answered when it registers a callback of devices: always, for each that is raised.
//#StockFails:its library raises neither maps nor unloads, and says so by never
//#LibompFails:its ompt_set_callback answers never for device_unload and target_map_emi, whatever the library raises
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

int main(void)
{
    int value = 1;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 2);
    int raised[] = {ompt_callback_target_emi, ompt_callback_target_data_op_emi, ompt_callback_target_submit_emi,
                    ompt_callback_target_map_emi, ompt_callback_device_initialize, ompt_callback_device_finalize,
                    ompt_callback_device_load, ompt_callback_device_unload};
    for (unsigned i = 0; i < sizeof raised / sizeof *raised; i++)
        CHECK_EQ(tool_results[raised[i]], ompt_set_always);
    return check_result();
}
