// Target regions and data constructs on the host: the code sees the variables themselves, whatever
// their map types, and private copies of firstprivate ones.
//#Opt:-O0,-O2
//#Threads:1,4
//#NoStderr
//#SameStdoutAs:reference
#include "check.h"
#include <omp.h>

struct record {
    int numbers[10];
    double *values;
};

typedef struct {
    char bytes[3];
} odd;

typedef double wide __attribute__((vector_size(32)));

static int table[100];
#pragma omp declare target to(table)

static void map_types(void)
{
    int to = 1, from = 2, tofrom = 3, alloc = 4;
    double array[20], *section = array + 5;
    for (int i = 0; i < 20; i++)
        array[i] = i;
#pragma omp target map(to : to) map(from : from) map(tofrom : tofrom) map(alloc : alloc)                   \
    map(always, tofrom : section[0 : 10])
    {
        from = to + 10;
        tofrom += to;
        alloc = 1;
        for (int i = 0; i < 10; i++)
            section[i] *= 2;
        table[7] = tofrom * alloc;
    }
    CHECK_EQ(from, 11);
    CHECK_EQ(tofrom, 4);
    CHECK_EQ(table[7], 4);
    CHECK(array[4] == 4 && array[5] == 10 && array[14] == 28 && array[15] == 15);
}

static void firstprivate_variables(void)
{
    char letter = 'a';
    short small = -3;
    long large = 1L << 40;
    double fraction = 2.5;
    struct record record = {{1, 2, 3}, &fraction};
    odd three = {{1, 2, 3}};
    wide vector = {1, 2, 3, 4};
    int length = 5, variable[length];
    for (int i = 0; i < length; i++)
        variable[i] = i;
    double sum = 0;
#pragma omp target firstprivate(letter, small, large, fraction, record, three, vector, variable)           \
    map(tofrom : sum)
    {
        sum = letter + small + fraction + record.numbers[2] + three.bytes[2] + vector[3] + variable[4];
        sum += large == 1L << 40;
        CHECK_EQ((long)&vector % (long)_Alignof(wide), 0);
        letter = 'b';
        record.numbers[2] = 0;
        three.bytes[2] = 9;
        vector[3] = 0;
        variable[4] = 0;
    }
    CHECK(sum == 'a' - 3 + 2.5 + 3 + 3 + 4 + 4 + 1);
    CHECK(letter == 'a' && record.numbers[2] == 3 && three.bytes[2] == 3 && vector[3] == 4);
    CHECK_EQ(variable[4], 4);
}

static void data_constructs(void)
{
    int array[10] = {0}, scalar = 1;
#pragma omp target enter data map(to : array)
#pragma omp target data map(tofrom : scalar) map(array)
    {
        int *there = &scalar;
#pragma omp target map(array, scalar)
        {
            array[3] = scalar;
            scalar = 2;
        }
#pragma omp target update from(array, scalar)
        CHECK_EQ(array[3], 1);
#pragma omp target data use_device_ptr(there)
        CHECK(there == &scalar);
        array[3] = 8;
#pragma omp target update to(array[3 : 1])
#pragma omp target map(array)
        array[3]++;
    }
#pragma omp target exit data map(from : array)
    CHECK_EQ(array[3], 9);
    CHECK_EQ(scalar, 2);
}

static void pointers(void)
{
    int variable = 1, *pointer = &variable;
    struct record record = {{0}, 0};
    double values[4] = {1, 2, 3, 4};
    record.values = values;
#pragma omp target is_device_ptr(pointer)
    *pointer += 1;
#pragma omp target map(record.values) map(tofrom : record.values[0 : 4])
    record.values[3] += 1;
    CHECK_EQ(variable, 2);
    CHECK(values[3] == 5);
#pragma omp target data map(tofrom : variable) use_device_addr(variable)
    {
        CHECK(&variable == pointer);
    }
}

int main(void)
{
    int in = -1, with_if = -1;
    map_types();
    firstprivate_variables();
    data_constructs();
    pointers();
#pragma omp target map(from : in)
    in = omp_is_initial_device();
#pragma omp target map(from : with_if) if (0)
    with_if = omp_is_initial_device();
    printf("%d %d, devices %d, the host is %d\n", in, with_if, omp_get_num_devices(),
           omp_get_initial_device());
#pragma omp target device(omp_get_initial_device()) map(from : in)
    in = omp_get_device_num();
    printf("%d, default %d\n", in, omp_get_default_device());
    omp_set_default_device(3);
#pragma omp target map(from : in)
    in = omp_is_initial_device();
    printf("%d %d\n", in, omp_get_default_device());
#pragma omp target device(7) map(from : in)
    in = omp_is_initial_device();
    printf("%d\n", in);
    return check_result();
}
