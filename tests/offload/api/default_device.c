// OMP_DEFAULT_DEVICE and omp_set_default_device choose the device of constructs without a clause.
//#Env:OXOMP_HOST_DEVICES=4
//#Env:OMP_DEFAULT_DEVICE=1
#include "check.h"
#include <omp.h>

int main(void)
{
    int data = 1;
    CHECK_EQ(omp_get_default_device(), 1);
#pragma omp target enter data map(to : data)
    CHECK(!omp_target_is_present(&data, 0));
    CHECK(omp_target_is_present(&data, 1));
    omp_set_default_device(0);
    CHECK_EQ(omp_get_default_device(), 0);
#pragma omp target exit data map(delete : data)
    CHECK(omp_target_is_present(&data, 1));
#pragma omp target exit data map(delete : data) device(1)
    CHECK(!omp_target_is_present(&data, 1));
    omp_set_default_device(omp_get_initial_device());
    int initial = 0;
#pragma omp target map(from : initial)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, 1);
    // A team's tasks have the default device of who made them.
    omp_set_default_device(1);
    int wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
    wrong += omp_get_default_device() != 1;
    CHECK_EQ(wrong, 0);
    return check_result();
}
