// The deletion of data names the device, its address there and the size, as its allocation did.
//#StockFails:the argument bytes of target_data_op is the size of the data; it is 0
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
    int device = omp_get_default_device();
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(delete : data)
    void *place = omp_target_alloc(1000, device);
    omp_target_free(place, device);
    struct event *made[2], *gone[2];
    made[0] = find(0, DATA_OP, ompt_scope_end, ompt_target_data_alloc);
    gone[0] = find(0, DATA_OP, ompt_scope_begin, ompt_target_data_delete);
    CHECK(made[0] && gone[0]);
    if (!made[0] || !gone[0])
        return 1;
    made[1] = find((int)(made[0] - events) + 1, DATA_OP, ompt_scope_end, ompt_target_data_alloc);
    gone[1] = find((int)(gone[0] - events) + 1, DATA_OP, ompt_scope_begin, ompt_target_data_delete);
    for (int i = 0; i < 2 && made[1] && gone[1]; i++) {
        CHECK(gone[i]->to == made[i]->to || gone[i]->from == made[i]->to);
        CHECK_EQ(gone[i]->to == made[i]->to ? gone[i]->to_device : gone[i]->from_device, device);
    }
    CHECK(made[1] && gone[1]);
    // The size of what omp_target_alloc made is not known to everybody.
    CHECK_EQ(gone[0]->bytes, sizeof data);
    CHECK_EQ(made[0]->bytes, sizeof data);
    CHECK_EQ(made[1] ? made[1]->bytes : 0, 1000);
    return check_result();
}
