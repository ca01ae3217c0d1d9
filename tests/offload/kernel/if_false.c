// With a false condition a target region runs on the host and maps nothing; data constructs then do
// nothing at all.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    int no = atoi("0"), initial = -1, device = omp_get_default_device();
    int data[10] = {1};
#pragma omp target if (no) map(tofrom : data, initial)
    {
        initial = omp_is_initial_device();
        data[0] = 2;
    }
    CHECK_EQ(initial, 1);
    CHECK_EQ(data[0], 2);
#pragma omp target teams distribute parallel for if (target : no) map(tofrom : data, initial)
    for (int i = 0; i < 10; i++) {
        data[i] = i;
        if (i == 9)
            initial = omp_is_initial_device() + 1;
    }
    CHECK_EQ(initial, 2);
    CHECK_EQ(data[9], 9);
#pragma omp target enter data if (no) map(to : data)
    CHECK_EQ(omp_target_is_present(data, device), 0);
#pragma omp target data if (no) map(to : data)
    CHECK_EQ(omp_target_is_present(data, device), 0);

    // The region runs on the host although the data are on the device, and changes the host's.
#pragma omp target enter data map(to : data)
    data[0] = 50;
#pragma omp target if (no) map(always, tofrom : data)
    data[0]++;
    CHECK_EQ(data[0], 51);
#pragma omp target update if (no) from(data)
    CHECK_EQ(data[0], 51);
#pragma omp target exit data if (no) map(delete : data)
    CHECK_EQ(omp_target_is_present(data, device), 1);
#pragma omp target exit data map(from : data)
    CHECK_EQ(omp_target_is_present(data, device), 0);
    CHECK_EQ(data[0], 0);
    return check_result();
}
