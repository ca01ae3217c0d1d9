// Variables that are linked: they have no copy on the device until they are mapped, functions there find
// the copy, and it ends with the mapping.
#include "check.h"
#include <omp.h>

int big[1000];
int scalar = 7;
#pragma omp declare target link(big, scalar)

static int sum(void)
{
    int total = 0;
    for (int i = 0; i < 1000; i++)
        total += big[i];
    return total;
}
#pragma omp declare target to(sum)

int main(void)
{
    int device = omp_get_default_device(), total = 0;
    for (int i = 0; i < 1000; i++)
        big[i] = 1;
    CHECK(!omp_target_is_present(big, device));
#pragma omp target map(to : big) map(from : total)
    total = sum();
    CHECK_EQ(total, 1000);
    CHECK(!omp_target_is_present(big, device));
#pragma omp target enter data map(to : big)
    CHECK(omp_target_is_present(big, device));
    big[0] = 100;
#pragma omp target map(from : total)
    {
        big[1] += 10;
        total = sum();
    }
    CHECK_EQ(total, 1010);
    CHECK_EQ(big[1], 1);
#pragma omp target update to(big[0 : 1])
#pragma omp target map(from : total)
    total = sum();
    CHECK_EQ(total, 1109);
#pragma omp target exit data map(from : big)
    CHECK(!omp_target_is_present(big, device));
    CHECK_EQ(big[0], 100);
    CHECK_EQ(big[1], 11);
#pragma omp target map(tofrom : scalar)
    scalar *= 6;
    CHECK_EQ(scalar, 42);
    return check_result();
}
