// Reference counts: data are copied when the count leaves zero and when it returns to it, and are there
// between; release takes one, delete takes all.
#include "check.h"
#include <omp.h>

enum { LENGTH = 10 };

static int data[LENGTH], other[LENGTH];

static int is_there(const void *address)
{
    return omp_target_is_present(address, omp_get_default_device());
}

static int on_device(void)
{
    int value;
#pragma omp target map(from : value) map(alloc : data)
    value = data[0];
    return value;
}

int main(void)
{
    data[0] = 1;
#pragma omp target data map(tofrom : data)
    {
        data[0] = 2;
        CHECK_EQ(on_device(), 1);
#pragma omp target data map(tofrom : data)
        {
            CHECK_EQ(on_device(), 1);
#pragma omp target map(tofrom : data)
            data[0] += 10;
        }
        CHECK_EQ(data[0], 2);
        CHECK(is_there(data));
    }
    CHECK_EQ(data[0], 11);
    CHECK(!is_there(data));

    // Unstructured, three times in and three times out.
    data[0] = 3;
    for (int i = 0; i < 3; i++) {
#pragma omp target enter data map(to : data)
        data[0] = 4 + i;
    }
    CHECK_EQ(on_device(), 3);
#pragma omp target map(tofrom : data)
    data[0] = 30;
    for (int i = 0; i < 2; i++) {
#pragma omp target exit data map(from : data)
        CHECK(is_there(data));
        CHECK_EQ(data[0], 6);
    }
#pragma omp target exit data map(from : data)
    CHECK(!is_there(data));
    CHECK_EQ(data[0], 30);

    // release never copies, and the last one ends the data's life there.
#pragma omp target enter data map(to : data)
#pragma omp target enter data map(alloc : data)
#pragma omp target map(alloc : data)
    data[0] = 99;
#pragma omp target exit data map(release : data)
    CHECK(is_there(data));
#pragma omp target exit data map(release : data)
    CHECK(!is_there(data));
    CHECK_EQ(data[0], 30);

    // delete ends it at once, and a later exit finds nothing.
    for (int i = 0; i < 5; i++) {
#pragma omp target enter data map(to : data)
    }
#pragma omp target exit data map(delete : data)
    CHECK(!is_there(data));
#pragma omp target exit data map(from : data)
#pragma omp target exit data map(release : data)
    CHECK_EQ(data[0], 30);

    // A delete inside a structured construct: its end finds nothing, and copies nothing.
#pragma omp target data map(tofrom : data)
    {
#pragma omp target map(tofrom : data)
        data[0] = 77;
#pragma omp target exit data map(delete : data)
        CHECK(!is_there(data));
    }
    CHECK_EQ(data[0], 30);

    // The same variable in a structured and an unstructured mapping.
#pragma omp target data map(tofrom : data)
    {
#pragma omp target enter data map(to : data, other)
#pragma omp target map(tofrom : data, other)
        data[0] = other[0] = 55;
    }
    CHECK(is_there(data) && is_there(other));
    CHECK_EQ(data[0], 30);
#pragma omp target exit data map(from : data, other)
    CHECK_EQ(data[0], 55);
    CHECK_EQ(other[0], 55);
    CHECK(!is_there(data) && !is_there(other));
    return check_result();
}
