// Questions about addresses: present, accessible, mapped to where; on each device and the host.
//#Env:OXOMP_HOST_DEVICES=4
#include "check.h"
#include <omp.h>
#include <string.h>

int main(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    int data[10] = {0}, other = 0;
    CHECK(!omp_target_is_present(data, device));
    CHECK(omp_get_mapped_ptr(data, device) == NULL);
    CHECK(omp_target_is_present(data, host));
    CHECK(omp_get_mapped_ptr(data, host) == (void *)data);
    CHECK(!omp_target_is_present(NULL, device));
#pragma omp target data map(to : data)
    {
        char *base = omp_get_mapped_ptr(data, device);
        CHECK(base != NULL);
        CHECK((char *)omp_get_mapped_ptr(&data[7], device) - base == 7 * sizeof(int));
        CHECK(omp_target_is_present(&data[9], device));
        CHECK(!omp_target_is_present(&other, device));
        CHECK(!omp_target_is_present(data, device + 1));
        CHECK(omp_get_mapped_ptr(data, device + 1) == NULL);
        int same = 0;
#pragma omp target map(from : same) firstprivate(base)
        same = (char *)data == base;
        CHECK(same);
    }
    CHECK(omp_target_is_accessible(data, sizeof data, host));
    return check_result();
}
