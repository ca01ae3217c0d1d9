// Arguments that make no sense: each routine says so by its result, and nothing is copied or kept.
//#StockFails:it ends the program for a number that is no device's
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

static const int NO_DEVICES[] = {-2, -3, -100, INT_MIN, INT_MAX, 2000};

enum { BAD = sizeof NO_DEVICES / sizeof NO_DEVICES[0], BYTES = 64 };

static void without_device(int bad, char *host, char *device)
{
    size_t volume[] = {1, 1}, zero[] = {0, 0}, extent[] = {8, 8};
    int here = omp_get_initial_device();
    CHECK(omp_target_alloc(BYTES, bad) == NULL);
    omp_target_free(NULL, bad);
    CHECK(!omp_target_is_present(host, bad));
    CHECK(!omp_target_is_accessible(host, 1, bad));
    CHECK(omp_get_mapped_ptr(host, bad) == NULL);
    CHECK(omp_target_memcpy(device, host, 8, 0, 0, bad, here) != 0);
    CHECK(omp_target_memcpy(host, device, 8, 0, 0, here, bad) != 0);
    CHECK(omp_target_memcpy_async(device, host, 8, 0, 0, bad, here, 0, NULL) != 0);
    CHECK(omp_target_memcpy_rect(device, host, 1, 2, volume, zero, zero, extent, extent, bad, here) != 0);
    CHECK(omp_target_memcpy_rect_async(device, host, 1, 2, volume, zero, zero, extent, extent, bad, here, 0, NULL)
          != 0);
    CHECK(omp_target_associate_ptr(host, device, BYTES, 0, bad) != 0);
    CHECK(omp_target_disassociate_ptr(host, bad) != 0);
}

static void without_memory(char *host, char *device)
{
    size_t volume[] = {1, 1}, zero[] = {0, 0}, extent[] = {8, 8}, none[] = {0, 1};
    int here = omp_get_initial_device();
    CHECK(omp_target_alloc(0, 0) == NULL);
    omp_target_free(NULL, 0);
    CHECK(!omp_target_is_present(NULL, 0));
    CHECK(!omp_target_is_present(NULL, here));
    CHECK(omp_get_mapped_ptr(NULL, 0) == NULL);
    CHECK(omp_target_memcpy(NULL, host, 8, 0, 0, 0, here) != 0);
    CHECK(omp_target_memcpy(device, NULL, 8, 0, 0, 0, here) != 0);
    CHECK_EQ(omp_target_memcpy(device, host, 0, 0, 0, 0, here), 0);
    CHECK(omp_target_memcpy_async(NULL, host, 8, 0, 0, 0, here, 0, NULL) != 0);
    CHECK(omp_target_memcpy_rect(NULL, NULL, 1, 2, NULL, NULL, NULL, NULL, NULL, 0, here) > 3);
    CHECK(omp_target_memcpy_rect(device, NULL, 1, 2, volume, zero, zero, extent, extent, 0, here) != 0);
    CHECK(omp_target_memcpy_rect(device, host, 1, 0, volume, zero, zero, extent, extent, 0, here) != 0);
    CHECK(omp_target_memcpy_rect(device, host, 1, -1, volume, zero, zero, extent, extent, 0, here) != 0);
    CHECK(omp_target_memcpy_rect(device, host, 0, 2, volume, zero, zero, extent, extent, 0, here) != 0);
    CHECK_EQ(omp_target_memcpy_rect(device, host, 1, 2, none, zero, zero, extent, extent, 0, here), 0);
    CHECK(omp_target_associate_ptr(NULL, device, BYTES, 0, 0) != 0);
    CHECK(omp_target_associate_ptr(host, NULL, BYTES, 0, 0) != 0);
    CHECK(omp_target_associate_ptr(host, device, 0, 0, 0) != 0);
    CHECK(omp_target_disassociate_ptr(NULL, 0) != 0);
    CHECK(omp_target_disassociate_ptr(host, 0) != 0);
    CHECK(omp_target_disassociate_ptr(host, here) != 0);
}

int main(void)
{
    static char host[BYTES];
    int value = 0;
    char *device = omp_target_alloc(BYTES, 0);
    CHECK(device != NULL);
    for (int i = 0; i < BAD; i++)
        without_device(NO_DEVICES[i], host, device);
    without_memory(host, device);
    CHECK_EQ(omp_target_associate_ptr(host, device, BYTES, 0, 0), 0);
    CHECK(omp_target_associate_ptr(host, device + 1, BYTES, 0, 0) != 0);
    CHECK(omp_target_associate_ptr(host + 8, device, BYTES, 0, 0) != 0);
    CHECK(omp_target_disassociate_ptr(host + 8, 0) != 0);
#pragma omp target data map(alloc : value)
    CHECK(omp_target_disassociate_ptr(&value, 0) != 0);
    CHECK_EQ(omp_target_disassociate_ptr(host, 0), 0);
    omp_target_free(device, 0);
    return check_result();
}
