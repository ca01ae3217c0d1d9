// The map callback without endpoints: one for each construct that maps, with the id of the construct.
//#StockFails:optional in OpenMP (5.1 §4.2.4, 6.0 §32.2.4); it has no map event
#define TARGET_TOOL 2
#include "target_tool.h"
#include <omp.h>

static int data[64];

int main(void)
{
#pragma omp target map(tofrom : data)
    data[0]++;
    int flags = ompt_target_map_flag_to | ompt_target_map_flag_from;
    struct event *map = find(0, MAP, 0, flags), *begin = find(0, TARGET, ompt_scope_begin, ompt_target);
    CHECK_EQ(count(0, MAP, 0, flags), 1);
    CHECK(map && begin && map > begin && map->target == begin->target && map->target != 0);
    CHECK(map && map->from == (char *)data && map->bytes == sizeof data && map->to != NULL);
    CHECK(map && map->code == begin->code);
    return check_result();
}
