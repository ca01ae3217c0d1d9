// target update copies whatever the count is, the part that is named, in the direction that is named,
// and does nothing for data that are not there.
#include "check.h"
#include <omp.h>

enum { LENGTH = 20 };

int main(void)
{
    int data[LENGTH], absent[LENGTH], sum = 0, scalar = 1;
    for (int i = 0; i < LENGTH; i++)
        data[i] = absent[i] = i;
#pragma omp target enter data map(to : data, scalar)
#pragma omp target enter data map(to : data)
#pragma omp target map(tofrom : data, scalar)
    {
        for (int i = 0; i < LENGTH; i++)
            data[i] += 100;
        scalar++;
    }
#pragma omp target update from(data[5 : 5])
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(data[i], i >= 5 && i < 10 ? i + 100 : i);
    for (int i = 0; i < LENGTH; i++)
        data[i] = -1;
#pragma omp target update to(data[15 : 5]) from(scalar)
    CHECK_EQ(scalar, 2);
#pragma omp target map(tofrom : sum) map(to : data)
    for (int i = 0; i < LENGTH; i++)
        sum += data[i];
    CHECK_EQ(sum, 15 * 100 + 14 * 15 / 2 - 5);
#pragma omp target update from(data)
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(data[i], i < 15 ? i + 100 : -1);

#pragma omp target update to(absent)
#pragma omp target update from(absent)
    CHECK_EQ(absent[3], 3);
    CHECK_EQ(omp_target_is_present(absent, omp_get_default_device()), 0);
#pragma omp target exit data map(delete : data, scalar)
    return check_result();
}
