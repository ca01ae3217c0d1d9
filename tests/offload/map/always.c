// The always modifier copies whatever the count is, in the direction of the map type.
#include "check.h"
#include <omp.h>

static int data[10];

int main(void)
{
    int seen = -1;
    data[0] = 1;
#pragma omp target enter data map(to : data)
    data[0] = 2;
#pragma omp target map(always, to : data) map(from : seen)
    {
        seen = data[0];
        data[0] = 3;
    }
    CHECK_EQ(seen, 2);
    CHECK_EQ(data[0], 2);
#pragma omp target map(always, from : data)
    data[0]++;
    CHECK_EQ(data[0], 4);
    data[0] = 10;
#pragma omp target map(always, tofrom : data)
    data[0]++;
    CHECK_EQ(data[0], 11);
    data[0] = 20;
#pragma omp target data map(always, tofrom : data)
    {
#pragma omp target map(from : seen) map(tofrom : data)
        seen = data[0]++;
        CHECK_EQ(data[0], 20);
    }
    CHECK_EQ(seen, 20);
    CHECK_EQ(data[0], 21);
#pragma omp target enter data map(always, to : data)
#pragma omp target map(tofrom : data)
    data[0] = 40;
#pragma omp target exit data map(always, from : data)
    CHECK_EQ(data[0], 40);
    CHECK_EQ(omp_target_is_present(data, omp_get_default_device()), 1);
#pragma omp target exit data map(delete : data)
    CHECK_EQ(omp_target_is_present(data, omp_get_default_device()), 0);
    CHECK_EQ(data[0], 40);

    // Only a part of what is mapped.
    for (int i = 0; i < 10; i++)
        data[i] = i;
#pragma omp target enter data map(to : data)
    for (int i = 0; i < 10; i++)
        data[i] += 100;
    int sum = 0;
#pragma omp target map(always, to : data[2 : 3]) map(from : sum)
    {
        sum = 0;
        for (int i = 0; i < 10; i++)
            sum += data[i];
    }
    CHECK_EQ(sum, 45 + 300);
#pragma omp target exit data map(delete : data)
    return check_result();
}
