// omp_target_alloc, free, memcpy in every direction with offsets, memset; requests that cannot be met.
//#Env:OXOMP_HOST_DEVICES=4
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { LENGTH = 100 };

int main(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    int here[LENGTH], back[LENGTH] = {0};
    size_t size = sizeof here;
    for (int i = 0; i < LENGTH; i++)
        here[i] = i;
    int *there = omp_target_alloc(size, device), *other = omp_target_alloc(size, device + 1);
    int *plain = omp_target_alloc(size, host);
    CHECK(there != NULL && other != NULL && plain != NULL && there != other);
    CHECK_EQ(omp_target_memcpy(there, here, size, 0, 0, device, host), 0);
#pragma omp target is_device_ptr(there) device(device)
    for (int i = 0; i < LENGTH; i++)
        there[i] *= 2;
    CHECK_EQ(omp_target_memcpy(other, there, size, 0, 0, device + 1, device), 0);
    CHECK_EQ(omp_target_memcpy(plain, other, size, 0, 0, host, device + 1), 0);
    CHECK_EQ(omp_target_memcpy(back, plain, size, 0, 0, host, host), 0);
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(back[i], 2 * i);
    // Offsets are in bytes, of both sides.
    CHECK_EQ(omp_target_memcpy(back, there, 10 * sizeof(int), 50 * sizeof(int), 5 * sizeof(int), host, device), 0);
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(back[i], i >= 50 && i < 60 ? 2 * (i - 45) : 2 * i);
    CHECK_EQ(omp_target_memcpy(there, there, 10 * sizeof(int), 90 * sizeof(int), 0, device, device), 0);
    CHECK_EQ(omp_target_memcpy(back, there, size, 0, 0, host, device), 0);
    CHECK_EQ(back[95], 10);
    CHECK_EQ(back[89], 178);
    omp_target_free(there, device);
    omp_target_free(other, device + 1);
    omp_target_free(plain, host);
    omp_target_free(NULL, device);

    // No memory, no such device.
    CHECK(omp_target_alloc(0, device) == NULL);
    CHECK(omp_target_memcpy(NULL, here, 4, 0, 0, host, host) != 0);
    CHECK(omp_target_memcpy(back, NULL, 4, 0, 0, host, host) != 0);
    return check_result();
}
