// Private and firstprivate variables of a target region: initialised from the host or not at all,
// never copied back, one for each region, of every size.
//#Needs:x87
#include "check.h"

struct wide {
    double values[100];
    char name[16];
};

static int sum_of(int length)
{
    int variable[length], sum = 0;
    for (int i = 0; i < length; i++)
        variable[i] = i + 1;
#pragma omp target firstprivate(variable) map(tofrom : sum)
    for (int i = 0; i < length; i++) {
        sum += variable[i];
        variable[i] = -1;
    }
    for (int i = 0; i < length; i++)
        CHECK_EQ(variable[i], i + 1);
    return sum;
}

int main(void)
{
    signed char small = -3;
    int number = 7, array[10], seen[6] = {0};
    double real = 2.5;
    long double extended = 1.25L;
    struct wide wide = {.values[99] = 17, .name = "wide"};
    for (int i = 0; i < 10; i++)
        array[i] = i;
    int *pointer = array;

    // A scalar that no clause names is firstprivate.
#pragma omp target firstprivate(array, wide, real, extended) map(from : seen)
    {
        seen[0] = small;
        seen[1] = number;
        seen[2] = array[9];
        seen[3] = (int)wide.values[99] + (wide.name[1] == 'i');
        seen[4] = (int)(real * 2);
        seen[5] = (int)(extended * 4);
        small = number = array[9] = 100;
        wide.values[99] = 100;
        real = 100;
    }
    int wanted[6] = {-3, 7, 9, 18, 5, 5};
    for (int i = 0; i < 6; i++)
        CHECK_EQ(seen[i], wanted[i]);
    CHECK_EQ(small, -3);
    CHECK_EQ(number, 7);
    CHECK_EQ(array[9], 9);
    CHECK(wide.values[99] == 17 && real == 2.5);

    int sum = 0;
#pragma omp target private(array, number, wide) map(tofrom : sum)
    {
        for (int i = 0; i < 10; i++)
            array[i] = 2;
        number = 5;
        wide.values[0] = 3;
        for (int i = 0; i < 10; i++)
            sum += array[i];
        sum += number + (int)wide.values[0];
    }
    CHECK_EQ(sum, 28);
    CHECK_EQ(array[5], 5);
    CHECK_EQ(number, 7);

    // A pointer that is firstprivate is a value: the host's address.
    int equal = 0;
    void *value = pointer;
#pragma omp target firstprivate(pointer) map(to : value) map(from : equal)
    equal = (void *)pointer == value;
    CHECK_EQ(equal, 1);
    CHECK_EQ(sum_of(1), 1);
    CHECK_EQ(sum_of(1000), 500500);

    // Copies of teams and threads begin with the region's.
    int copies = 0;
#pragma omp target teams num_teams(3) firstprivate(number) reduction(+ : copies)
    {
        number += 1;
#pragma omp parallel num_threads(2) firstprivate(number) reduction(+ : copies)
        {
            number += 1;
            copies += number == 9 ? 0 : 1;
        }
    }
    CHECK_EQ(copies, 0);
    return check_result();
}
