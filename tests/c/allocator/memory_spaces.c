// OpenMP 6.0's routines for memory spaces and their resources, on a machine without other devices;
// the numbers are LLVM's. References are weak: the compilers' own runtimes do not have them.
//#Threads:1
//#Flags:-fPIC -Wl,-z,dynamic-undefined-weak
//#NoStderr
//#ReferenceFails:it does not have them
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

#define WEAK __attribute__((weak)) extern
typedef uintptr_t handle;

WEAK handle omp_get_devices_memspace(int, const int *, handle);
WEAK handle omp_get_device_memspace(int, handle);
WEAK handle omp_get_devices_and_host_memspace(int, const int *, handle);
WEAK handle omp_get_device_and_host_memspace(int, handle);
WEAK handle omp_get_devices_all_memspace(handle);
WEAK handle omp_get_devices_allocator(int, const int *, handle);
WEAK handle omp_get_device_allocator(int, handle);
WEAK handle omp_get_devices_and_host_allocator(int, const int *, handle);
WEAK handle omp_get_device_and_host_allocator(int, handle);
WEAK handle omp_get_devices_all_allocator(handle);
WEAK int omp_get_memspace_num_resources(handle);
WEAK handle omp_get_submemspace(handle, int, int *);
WEAK void *omp_get_dyn_gprivate_ptr(size_t, int);
WEAK void *omp_get_dyn_gprivate_nofb_ptr(size_t, int);
WEAK size_t omp_get_dyn_gprivate_size(int);
WEAK handle omp_get_dyn_gprivate_memspace(int);
// The Fortran names.
WEAK handle omp_get_devices_memspace_(const int *, const int *, const handle *);
WEAK handle omp_get_device_memspace_(const int *, const handle *);
WEAK handle omp_get_devices_and_host_memspace_(const int *, const int *, const handle *);
WEAK handle omp_get_device_and_host_memspace_(const int *, const handle *);
WEAK handle omp_get_devices_all_memspace_(const handle *);
WEAK handle omp_get_devices_allocator_(const int *, const int *, const handle *);
WEAK handle omp_get_device_allocator_(const int *, const handle *);
WEAK handle omp_get_devices_and_host_allocator_(const int *, const int *, const handle *);
WEAK handle omp_get_device_and_host_allocator_(const int *, const handle *);
WEAK handle omp_get_devices_all_allocator_(const handle *);
WEAK int omp_get_memspace_num_resources_(const handle *);
WEAK handle omp_get_submemspace_(const handle *, const int *, int *);

enum { NULL_SPACE = 0, DEFAULT_SPACE = 99, NONE = -1 };

static void of_host(handle space, handle allocator)
{
    int host = omp_get_initial_device(), one = 1;
    CHECK_EQ(omp_get_devices_memspace(1, &host, space), space);
    CHECK_EQ(omp_get_device_memspace(host, space), space);
    CHECK_EQ(omp_get_device_memspace(-1, space), space);
    CHECK_EQ(omp_get_devices_and_host_memspace(1, &host, space), space);
    CHECK_EQ(omp_get_devices_and_host_memspace(0, NULL, space), space);
    CHECK_EQ(omp_get_device_and_host_memspace(host, space), space);
    CHECK_EQ(omp_get_devices_all_memspace(space), space);
    CHECK_EQ(omp_get_devices_allocator(1, &host, space), allocator);
    CHECK_EQ(omp_get_device_allocator(host, space), allocator);
    CHECK_EQ(omp_get_devices_and_host_allocator(1, &host, space), allocator);
    CHECK_EQ(omp_get_device_and_host_allocator(host, space), allocator);
    CHECK_EQ(omp_get_devices_all_allocator(space), allocator);
    CHECK_EQ(omp_get_devices_memspace_(&one, &host, &space), space);
    CHECK_EQ(omp_get_device_memspace_(&host, &space), space);
    CHECK_EQ(omp_get_devices_and_host_memspace_(&one, &host, &space), space);
    CHECK_EQ(omp_get_device_and_host_memspace_(&host, &space), space);
    CHECK_EQ(omp_get_devices_all_memspace_(&space), space);
    CHECK_EQ(omp_get_devices_allocator_(&one, &host, &space), allocator);
    CHECK_EQ(omp_get_device_allocator_(&host, &space), allocator);
    CHECK_EQ(omp_get_devices_and_host_allocator_(&one, &host, &space), allocator);
    CHECK_EQ(omp_get_device_and_host_allocator_(&host, &space), allocator);
    CHECK_EQ(omp_get_devices_all_allocator_(&space), allocator);
}

static void of_others(void)
{
    int host = omp_get_initial_device(), devices[2] = {host, host + 1};
    CHECK_EQ(omp_get_device_memspace(host + 1, DEFAULT_SPACE), NULL_SPACE);
    CHECK_EQ(omp_get_device_and_host_memspace(host + 1, DEFAULT_SPACE), NULL_SPACE);
    CHECK_EQ(omp_get_devices_memspace(2, devices, DEFAULT_SPACE), NULL_SPACE);
    CHECK_EQ(omp_get_devices_memspace(0, devices, DEFAULT_SPACE), NULL_SPACE);
    CHECK_EQ(omp_get_devices_memspace(-1, devices, DEFAULT_SPACE), NULL_SPACE);
    CHECK_EQ(omp_get_device_memspace(host, NULL_SPACE), NULL_SPACE);
    CHECK_EQ(omp_get_device_memspace(host, 98), NULL_SPACE);
    CHECK_EQ(omp_get_device_allocator(host + 1, DEFAULT_SPACE), omp_null_allocator);
    CHECK_EQ(omp_get_device_allocator(host, 98), omp_null_allocator);
}

static void resources(handle space)
{
    int count = omp_get_memspace_num_resources(space);
    CHECK(count >= 1);
    CHECK_EQ(omp_get_memspace_num_resources_(&space), count);
    int *all = malloc(sizeof(int) * (count + 1));
    for (int i = 0; i <= count; i++)
        all[i] = count - 1 - i;
    CHECK_EQ(omp_get_submemspace(space, count, all), space);
    CHECK_EQ(omp_get_submemspace_(&space, &count, all), space);
    CHECK_EQ(omp_get_submemspace(space, count + 1, all), NULL_SPACE);
    CHECK_EQ(omp_get_submemspace(space, 0, all), NULL_SPACE);
    CHECK_EQ(omp_get_submemspace(space, -1, all), NULL_SPACE);
    for (int i = 0; i < count; i++) {
        handle part = omp_get_submemspace(space, 1, &i);
        CHECK_EQ(omp_get_memspace_num_resources(part), 1);
        CHECK_EQ(omp_get_submemspace(space, 1, &i), part);
        CHECK_EQ(part == space, count == 1);
        omp_allocator_handle_t allocator =
            omp_init_allocator((omp_memspace_handle_t)part, 0, NULL);
        char *block = omp_alloc(100000, allocator);
        CHECK(block);
        block[99999] = 1;
        omp_free(block, allocator);
        omp_destroy_allocator(allocator);
    }
    free(all);
}

int main(void)
{
    of_host(DEFAULT_SPACE, omp_default_mem_alloc);
    of_host(1, omp_large_cap_mem_alloc);
    of_host(2, omp_const_mem_alloc);
    of_host(3, omp_high_bw_mem_alloc);
    of_host(4, omp_low_lat_mem_alloc);
    of_others();
    for (int space = 1; space <= 4; space++)
        resources((handle)space);
    resources(DEFAULT_SPACE);
    CHECK_EQ(omp_get_memspace_num_resources(NULL_SPACE), 0);
    CHECK_EQ(omp_get_submemspace(NULL_SPACE, 1, (int[]){0}), NULL_SPACE);
    CHECK(!omp_get_dyn_gprivate_ptr(0, 0) && !omp_get_dyn_gprivate_nofb_ptr(0, 1));
    CHECK_EQ(omp_get_dyn_gprivate_size(0), 0);
    CHECK_EQ(omp_get_dyn_gprivate_memspace(0), NULL_SPACE);
    return check_result();
}
