// A tool that registers both forms of a callback hears the one with endpoints only.
#define TARGET_TOOL 3
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
#pragma omp target map(tofrom : data)
    data[0]++;
    CHECK_EQ(count(0, TARGET, ompt_scope_begin, ompt_target), 1);
    CHECK_EQ(count(0, TARGET, ompt_scope_end, ompt_target), 1);
    CHECK_EQ(count(0, SUBMIT, ompt_scope_begin, 0), 1);
    CHECK_EQ(count(0, SUBMIT, 0, 0), 0);
    CHECK_EQ(count(0, DATA_OP, ompt_scope_begin, ompt_target_data_transfer_to_device), 1);
    CHECK_EQ(count(0, DATA_OP, 0, ompt_target_data_transfer_to_device), 0);
    return check_result();
}
