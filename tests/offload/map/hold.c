// ompx_hold: as long as a construct holds data, exit data and delete leave them there; close changes
// nothing where memory is of one kind.
#include "check.h"
#include <omp.h>

static int is_there(const void *address)
{
    return omp_target_is_present(address, omp_get_default_device());
}

int main(void)
{
    int data[10] = {1}, near[10] = {1};
#pragma omp target data map(ompx_hold, tofrom : data)
    {
#pragma omp target exit data map(delete : data)
        CHECK(is_there(data));
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(release : data)
        CHECK(is_there(data));
#pragma omp target map(ompx_hold, tofrom : data)
        data[0] = 7;
        CHECK(is_there(data));
        CHECK_EQ(data[0], 1);
    }
    CHECK(!is_there(data));
    CHECK_EQ(data[0], 7);

    // What is associated and held cannot be disassociated.
    int device = omp_get_default_device();
    void *memory = omp_target_alloc(sizeof near, device);
    CHECK_EQ(omp_target_associate_ptr(near, memory, sizeof near, 0, device), 0);
#pragma omp target data map(ompx_hold, alloc : near)
    CHECK(omp_target_disassociate_ptr(near, device) != 0);
    CHECK_EQ(omp_target_disassociate_ptr(near, device), 0);
    CHECK(!is_there(near));
    omp_target_free(memory, device);

    // What entered besides remains after the hold.
#pragma omp target data map(ompx_hold, tofrom : data)
    {
#pragma omp target enter data map(to : data)
    }
    CHECK(is_there(data));
#pragma omp target exit data map(delete : data)
    CHECK(!is_there(data));

#pragma omp target data map(close, tofrom : near)
    {
#pragma omp target map(close, tofrom : near)
        near[0] += 4;
        CHECK_EQ(near[0], 1);
    }
    CHECK_EQ(near[0], 5);
    CHECK(!is_there(near));
    return check_result();
}
