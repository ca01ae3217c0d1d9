// A target region knows the number of its device.
//#Env:OXOMP_HOST_DEVICES=4
//#StockFails:OpenMP 5.2 §18.7.5: the device on which the calling thread is executing; it says the host
//#LibompFails:the image calls its omp_get_device_num, which says the host
#include "check.h"
#include <omp.h>

int main(void)
{
    int devices = omp_get_num_devices(), number = -1, inside = -1;
    CHECK(devices >= 2);
    for (int device = 0; device <= devices; device++) {
#pragma omp target device(device) map(from : number, inside)
        {
            number = omp_get_device_num();
#pragma omp parallel num_threads(2)
#pragma omp single
            inside = omp_get_device_num();
        }
        CHECK_EQ(number, device);
        CHECK_EQ(inside, device);
        CHECK_EQ(omp_get_device_num(), devices);
    }
    return check_result();
}
