// Association and its end are single events with the host's address, the device's and the size.
//#StockFails:since OpenMP 5.1 the endpoint of associate and disassociate is ompt_scope_beginend; it has begin and end
#define TARGET_TOOL 1
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    char *place = omp_target_alloc(sizeof data + 100, device);
    CHECK_EQ(omp_target_associate_ptr(data, place, sizeof data, 100, device), 0);
    CHECK_EQ(omp_target_disassociate_ptr(data, device), 0);
    for (int kind = ompt_target_data_associate; kind <= ompt_target_data_disassociate; kind++) {
        struct event *event = find(0, DATA_OP, ompt_scope_beginend, kind);
        CHECK_EQ(count(0, DATA_OP, ompt_scope_beginend, kind), 1);
        CHECK_EQ(count(0, DATA_OP, ompt_scope_begin, kind), 0);
        if (event == NULL)
            continue;
        CHECK(event->from == (char *)data && event->to == place + 100);
        CHECK_EQ(event->bytes, sizeof data);
        CHECK(event->from_device == host && event->to_device == device);
    }
    omp_target_free(place, device);
    return check_result();
}
