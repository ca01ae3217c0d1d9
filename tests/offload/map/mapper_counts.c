// The structure that a mapper maps leaves the device with its members, as often as it came.
//#StockFails:OpenMP 5.2 §5.8.3: at count 0 the item is removed; it keeps what a mapper maps first
#include "check.h"
#include <omp.h>
#include <stdlib.h>

struct vector {
    int length;
    int *values;
};

#pragma omp declare mapper(struct vector v) map(v.length) map(tofrom : v.values[0 : v.length])

int main(void)
{
    int device = omp_get_default_device(), before = 3;
    struct vector vector = {20, malloc(20 * sizeof(int))};
    for (int i = 0; i < 20; i++)
        vector.values[i] = i;
    for (int turn = 0; turn < 3; turn++) {
        vector.values[0] = before;
#pragma omp target map(tofrom : vector)
        vector.values[0] += vector.length;
        before += 20;
        CHECK_EQ(vector.values[0], before);
        CHECK(!omp_target_is_present(&vector, device));
        CHECK(!omp_target_is_present(vector.values, device));
    }
#pragma omp target enter data map(to : vector)
    CHECK(omp_target_is_present(&vector, device));
#pragma omp target exit data map(release : vector)
    CHECK(!omp_target_is_present(&vector, device));
    CHECK(!omp_target_is_present(vector.values, device));
    free(vector.values);
    return check_result();
}
