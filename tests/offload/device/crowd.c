// As many devices as the environment asks for: each has its own variables, counterparts and queue.
//#Env:OXOMP_HOST_DEVICES=100
//#Threads:4
#include "check.h"
#include <omp.h>

#pragma omp begin declare target
int own = 7;
#pragma omp end declare target

int main(void)
{
    int devices = omp_get_num_devices(), values[128] = {0}, owns[128] = {0};
    CHECK(devices >= 4 && devices <= 128);
#pragma omp parallel for num_threads(4) schedule(dynamic)
    for (int device = 0; device < devices; device++) {
        int *value = &values[device];
        for (int turn = 0; turn < 5; turn++) {
#pragma omp target map(tofrom : value[0 : 1]) map(from : owns[device]) firstprivate(device) device(device)
            {
                own += device;
                value[0] += 1;
                owns[device] = own;
            }
        }
    }
    for (int device = 0; device < devices; device++) {
        CHECK_EQ(values[device], 5);
        CHECK_EQ(owns[device], 7 + 5 * device);
    }
    CHECK_EQ(own, 7);
    return check_result();
}
