// Each device has a text of its own by which it is found again.
//#Env:OXOMP_HOST_DEVICES=4
#include "check.h"
#include <omp.h>
#include <string.h>

int main(void)
{
    int devices = omp_get_num_devices();
    CHECK(devices >= 2);
    for (int device = 0; device < devices; device++) {
        const char *uid = omp_get_uid_from_device(device);
        CHECK(uid != NULL && *uid != 0);
        CHECK_EQ(omp_get_device_from_uid(uid), device);
        for (int other = 0; other < device; other++)
            CHECK(strcmp(uid, omp_get_uid_from_device(other)) != 0);
    }
    return check_result();
}
