// OMP_TARGET_OFFLOAD=disabled: there are no devices, every construct runs on the host and nothing is
// mapped.
//#Env:OMP_TARGET_OFFLOAD=disabled
#include "check.h"
#include <omp.h>

#pragma omp begin declare target
int global = 3;
#pragma omp end declare target

int main(void)
{
    int data[4] = {1, 2, 3, 4}, initial = 0;
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(omp_get_initial_device(), 0);
#pragma omp target map(to : data) map(from : initial)
    {
        initial = omp_is_initial_device();
        data[0] = 10;
        global++;
    }
    CHECK_EQ(initial, 1);
    CHECK_EQ(data[0], 10);
    CHECK_EQ(global, 4);
#pragma omp target data map(to : data)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 4; i++)
            data[i]++;
        CHECK_EQ(data[3], 5);
    }
#pragma omp target enter data map(to : data)
#pragma omp target update to(data)
#pragma omp target exit data map(delete : data)
#pragma omp target map(tofrom : data) nowait depend(inout : data)
    data[1] = 77;
#pragma omp taskwait
    CHECK_EQ(data[1], 77);
    return check_result();
}
