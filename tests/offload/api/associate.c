// A host pointer that is associated with device memory is present, constructs use that memory and never
// copy nor free it, and it ends by disassociation only.
#include "check.h"
#include <omp.h>

enum { LENGTH = 10 };

int main(void)
{
    int host = omp_get_initial_device(), device = omp_get_default_device();
    int data[LENGTH], seen = 0, back = 0;
    for (int i = 0; i < LENGTH; i++)
        data[i] = i;
    int *place = omp_target_alloc((LENGTH + 5) * sizeof(int), device);
    CHECK_EQ(omp_target_associate_ptr(data, place, sizeof data, 5 * sizeof(int), device), 0);
    CHECK(omp_target_is_present(data, device));
    CHECK(omp_target_is_present(&data[9], device));
    CHECK(omp_get_mapped_ptr(data, device) == place + 5);
    CHECK(omp_get_mapped_ptr(&data[3], device) == place + 8);
    // Once more with the same is fine, with another is not.
    CHECK_EQ(omp_target_associate_ptr(data, place, sizeof data, 5 * sizeof(int), device), 0);
    CHECK(omp_target_associate_ptr(data, place, sizeof data, 0, device) != 0);

#pragma omp target is_device_ptr(place)
    for (int i = 0; i < LENGTH + 5; i++)
        place[i] = 100 + i;
#pragma omp target map(tofrom : data) map(from : seen)
    {
        seen = data[0];
        data[1] = -1;
    }
    CHECK_EQ(seen, 105);
    CHECK_EQ(data[1], 1);
    CHECK_EQ(omp_target_memcpy(&back, place, sizeof back, 0, 6 * sizeof(int), host, device), 0);
    CHECK_EQ(back, -1);
#pragma omp target update from(data[1 : 1])
    CHECK_EQ(data[1], -1);
#pragma omp target map(always, from : data)
    data[2] = 22;
    CHECK_EQ(data[2], 22);
#pragma omp target exit data map(delete : data)
    CHECK(omp_target_is_present(data, device));

    CHECK_EQ(omp_target_disassociate_ptr(data, device), 0);
    CHECK(!omp_target_is_present(data, device));
    CHECK(omp_get_mapped_ptr(data, device) == NULL);
    CHECK(omp_target_disassociate_ptr(data, device) != 0);

    // What a map clause has mapped cannot be associated nor disassociated.
#pragma omp target enter data map(to : data)
    CHECK(omp_target_associate_ptr(data, place, sizeof data, 0, device) != 0);
    CHECK(omp_target_disassociate_ptr(data, device) != 0);
#pragma omp target exit data map(delete : data)
    omp_target_free(place, device);
    return check_result();
}
