// What variables get that no clause names, by each form of defaultmap.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(void)
{
    int scalar = 1, array[4] = {1, 2, 3, 4}, *pointer = malloc(4 * sizeof(int)), seen = 0;
    struct {
        int member;
    } aggregate = {5};
    pointer[0] = 9;
#pragma omp target
    {
        scalar = 2;
        array[0] = 10;
        aggregate.member = 50;
    }
    CHECK_EQ(scalar, 1);
    CHECK_EQ(array[0], 10);
    CHECK_EQ(aggregate.member, 50);
#pragma omp target defaultmap(tofrom : scalar)
    scalar = 3;
    CHECK_EQ(scalar, 3);
#pragma omp target defaultmap(firstprivate : aggregate) map(from : seen)
    {
        seen = array[0] + aggregate.member;
        array[0] = -1;
        aggregate.member = -1;
    }
    CHECK_EQ(seen, 60);
    CHECK_EQ(array[0], 10);
    CHECK_EQ(aggregate.member, 50);
#pragma omp target defaultmap(to : aggregate) map(from : seen)
    {
        seen = array[1];
        array[1] = -1;
    }
    CHECK_EQ(seen, 2);
    CHECK_EQ(array[1], 2);
#pragma omp target defaultmap(from : scalar)
    {
        scalar = 4;
        seen = 8;
    }
    CHECK_EQ(scalar, 4);
    CHECK_EQ(seen, 8);
#pragma omp target enter data map(to : array, scalar)
    scalar = 77;
#pragma omp target defaultmap(present) map(from : seen)
    {
        seen = array[3] + scalar;
        array[3] = 40;
    }
    CHECK_EQ(seen, 8);
#pragma omp target exit data map(from : array, scalar)
    CHECK_EQ(array[3], 40);
    CHECK_EQ(scalar, 4);

    // A pointer without a clause finds what is mapped, and keeps its value otherwise.
    int *unmapped = pointer;
    void *value = pointer;
    int equal = 0;
#pragma omp target map(to : value) map(from : equal)
    equal = (void *)unmapped == value;
    CHECK_EQ(equal, 1);
#pragma omp target enter data map(to : pointer[0 : 4])
#pragma omp target map(from : seen)
    {
        seen = pointer[0];
        pointer[0] = 10;
    }
    CHECK_EQ(seen, 9);
    CHECK_EQ(pointer[0], 9);
#pragma omp target defaultmap(firstprivate : pointer) map(to : value) map(from : equal)
    equal = (void *)pointer == value;
    CHECK_EQ(equal, 1);
#pragma omp target exit data map(from : pointer[0 : 4])
    CHECK_EQ(pointer[0], 10);
    free(pointer);
    return check_result();
}
