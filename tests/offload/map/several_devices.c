// Mappings of one device are no other's: the same variable has a copy, a count and a life on each.
//#Env:OXOMP_HOST_DEVICES=4
#include "check.h"
#include <omp.h>

int main(void)
{
    int devices = omp_get_num_devices(), data[4] = {1, 2, 3, 4}, seen = 0;
    CHECK(devices >= 2);
    for (int device = 0; device < devices; device++) {
        data[0] = 10 * device;
#pragma omp target enter data map(to : data) device(device)
    }
    data[0] = -1;
    for (int device = 0; device < devices; device++) {
        CHECK(omp_target_is_present(data, device));
#pragma omp target map(tofrom : data) map(from : seen) device(device)
        {
            seen = data[0];
            data[1] = device;
        }
        CHECK_EQ(seen, 10 * device);
        CHECK_EQ(data[1], 2);
        for (int other = 0; other < device; other++)
            CHECK(omp_get_mapped_ptr(data, other) != omp_get_mapped_ptr(data, device));
    }
    // From one device to another, without the host.
    void *from = omp_get_mapped_ptr(data, 0), *to = omp_get_mapped_ptr(data, 1);
    CHECK_EQ(omp_target_memcpy(to, from, sizeof(int), sizeof(int), 0, 1, 0), 0);
    for (int device = 0; device < devices; device++) {
#pragma omp target exit data map(from : data) device(device)
        CHECK(!omp_target_is_present(data, device));
        CHECK_EQ(data[0], 10 * device);
        CHECK_EQ(data[1], device == 1 ? 0 : device);
    }

    // All at once.
    int results[4] = {0};
#pragma omp parallel for num_threads(4)
    for (int device = 0; device < 4; device++) {
        int sum = 0;
#pragma omp target parallel for device(device % devices) reduction(+ : sum)
        for (int i = 0; i < 1000; i++)
            sum += i * (device + 1);
        results[device] = sum;
    }
    for (int device = 0; device < 4; device++)
        CHECK_EQ(results[device], 499500 * (device + 1));
    return check_result();
}
