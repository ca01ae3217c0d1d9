// A construct takes one reference to what is present, and gives one back, however many of its list items
// lie there; the data of all of them go and come with it.
//#StockFails:it counts each list item
#include "check.h"
#include <omp.h>

enum { LENGTH = 10 };

static int is_there(const void *address)
{
    return omp_target_is_present(address, omp_get_default_device());
}

int main(void)
{
    int data[LENGTH] = {0}, *low = data, *high = data + LENGTH / 2;

    // Two items in an entry: one reference more, which one release takes.
#pragma omp target enter data map(to : data)
#pragma omp target enter data map(alloc : low[ : 2], high[ : 2])
#pragma omp target exit data map(release : data)
    CHECK(is_there(data) && is_there(high));
#pragma omp target exit data map(release : low[ : 1])
    CHECK(!is_there(data) && !is_there(low) && !is_there(high));

    // Two items of an exit give one back, and nothing comes: another reference is left.
#pragma omp target enter data map(to : data)
#pragma omp target enter data map(to : data)
    data[0] = data[LENGTH / 2] = 7;
#pragma omp target exit data map(from : low[ : 1], high[ : 1])
    CHECK(is_there(data));
    CHECK_EQ(data[0], 7);
    CHECK_EQ(data[LENGTH / 2], 7);
    // With the last reference the data of both come.
#pragma omp target exit data map(from : low[ : 1], high[ : 1])
    CHECK(!is_there(data));
    CHECK_EQ(data[0], 0);
    CHECK_EQ(data[LENGTH / 2], 0);

    // The same within regions: inside of another, nothing is copied.
#pragma omp target enter data map(to : data)
#pragma omp target map(tofrom : low[ : 2], high[ : 2])
    low[0] = high[0] = 5;
    CHECK_EQ(data[0], 0);
    CHECK(is_there(data));
#pragma omp target data map(tofrom : low[ : 2], high[ : 2])
#pragma omp target map(tofrom : low[ : 2], high[ : 2])
    {
        low[1] = low[0] + 1;
        high[1] = high[0] + 2;
    }
#pragma omp target exit data map(from : data)
    CHECK(!is_there(data));
    CHECK_EQ(data[0], 5);
    CHECK_EQ(data[1], 6);
    CHECK_EQ(data[LENGTH / 2 + 1], 7);

    // delete takes all, and each item that is present is so until the construct ends.
#pragma omp target enter data map(to : data)
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(present, delete : low[ : 1], high[ : 1])
    CHECK(!is_there(data));

    // delete takes all wherever it stands, and members of a structure are present with it.
#pragma omp target enter data map(to : data)
#pragma omp target enter data map(to : data)
#pragma omp target exit data map(release : low[ : 1]) map(delete : high[ : 1])
    CHECK(!is_there(data));
    struct {
        int a, b, c;
    } s = {1, 2, 3};
    for (int turn = 0; turn < 3; turn++) {
#pragma omp target enter data map(to : s)
    }
#pragma omp target exit data map(present, delete : s.a, s.c)
    CHECK(!is_there(&s));
    return check_result();
}
