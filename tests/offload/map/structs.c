// Structures: whole, by members, by members that lie apart, sections of member arrays; members that are
// not mapped keep what the host has.
#include "check.h"
#include <omp.h>

struct part {
    int before, first, between, list[8], last, after;
};

struct whole {
    char letter;
    struct part inner[3];
    double tail;
};

int main(void)
{
    struct part part = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}, 12, 13};
#pragma omp target map(tofrom : part)
    {
        part.before += 100;
        part.list[3] += 100;
        part.after += 100;
    }
    CHECK_EQ(part.before, 101);
    CHECK_EQ(part.first, 2);
    CHECK_EQ(part.list[3], 107);
    CHECK_EQ(part.after, 113);

    int found = 0;
#pragma omp target map(tofrom : part.first) map(from : part.last) map(to : part.list[2 : 4]) map(from : found)
    {
        found = part.first + part.list[5];
        part.first = 20;
        part.last = 120;
        part.list[2] = -1;
    }
    CHECK_EQ(found, 2 + 9);
    CHECK_EQ(part.first, 20);
    CHECK_EQ(part.last, 120);
    CHECK_EQ(part.list[2], 6);
    CHECK_EQ(part.between, 3);

    // The host changes its own members while others are on the device.
#pragma omp target data map(tofrom : part.first, part.last)
    {
        part.between = 30;
        part.before = 10;
#pragma omp target map(tofrom : part.first, part.last)
        {
            part.first++;
            part.last++;
        }
    }
    CHECK_EQ(part.first, 21);
    CHECK_EQ(part.last, 121);
    CHECK_EQ(part.between, 30);
    CHECK_EQ(part.before, 10);

    struct whole whole = {'a', {{.first = 1}, {.first = 2}, {.first = 3}}, 0.5};
#pragma omp target enter data map(to : whole)
#pragma omp target map(tofrom : whole.inner[1])
    whole.inner[1].first = 22;
#pragma omp target map(tofrom : whole)
    {
        whole.letter++;
        whole.inner[2].list[7] = whole.inner[1].first;
        whole.tail *= 3;
    }
    CHECK_EQ(whole.letter, 'a');
#pragma omp target update from(whole.inner[1].first, whole.tail)
    CHECK_EQ(whole.inner[1].first, 22);
    CHECK(whole.tail == 1.5);
    CHECK_EQ(whole.inner[2].list[7], 0);
#pragma omp target exit data map(from : whole)
    CHECK_EQ(whole.letter, 'b');
    CHECK_EQ(whole.inner[2].list[7], 22);

    // Members that enter and leave one by one.
    int device = omp_get_default_device();
#pragma omp target enter data map(to : part.first)
#pragma omp target enter data map(to : part.after)
    CHECK(omp_target_is_present(&part.first, device));
    CHECK(omp_target_is_present(&part.after, device));
#pragma omp target exit data map(release : part.first)
    CHECK(!omp_target_is_present(&part.first, device));
#pragma omp target exit data map(release : part.after)
    CHECK(!omp_target_is_present(&part.after, device));
    return check_result();
}
