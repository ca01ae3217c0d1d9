// Kernels with no argument, one, six, seven and many: pointers and values of all widths, in order.
#include "check.h"

int main(void)
{
#pragma omp target
    {
    }
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, result = 0;
#pragma omp target map(from : result)
    result = 17;
    CHECK_EQ(result, 17);
#pragma omp target map(from : result)
    result = a + 10 * b + 100 * c + 1000 * d + 10000 * e;
    CHECK_EQ(result, 54321);
#pragma omp target map(from : result)
    result = a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
    CHECK_EQ(result, 654321);
#pragma omp target map(from : result)
    result = a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f + 1000000 * g;
    CHECK_EQ(result, 7654321);

    signed char c1 = -1;
    unsigned char c2 = 200;
    short s1 = -300;
    unsigned short s2 = 60000;
    unsigned u = 4000000000u;
    long l = -5000000000l;
    unsigned long ul = 18000000000000000000ul;
    float x = 0.5f, y = -1.5f;
    double p = 1e100, q = -2.25;
    _Bool yes = 1, no = 0;
    int v0 = 0, v1 = 1, v2 = 2, v3 = 3, v4 = 4, v5 = 5, v6 = 6, v7 = 7, v8 = 8, v9 = 9;
    int r0, r1, r2, r3, r4, r5, r6, r7, r8, r9;
    int wrong = -1;
    // 12 values, 10 values and 11 places of results.
#pragma omp target map(from : r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, wrong)
    {
        wrong = 0;
        wrong += c1 != -1;
        wrong += c2 != 200;
        wrong += s1 != -300;
        wrong += s2 != 60000;
        wrong += u != 4000000000u;
        wrong += l != -5000000000l;
        wrong += ul != 18000000000000000000ul;
        wrong += x != 0.5f;
        wrong += y != -1.5f;
        wrong += p != 1e100;
        wrong += q != -2.25;
        wrong += !yes || no;
        r0 = v0 + 10;
        r1 = v1 + 10;
        r2 = v2 + 10;
        r3 = v3 + 10;
        r4 = v4 + 10;
        r5 = v5 + 10;
        r6 = v6 + 10;
        r7 = v7 + 10;
        r8 = v8 + 10;
        r9 = v9 + 10;
    }
    CHECK_EQ(wrong, 0);
    int found[10] = {r0, r1, r2, r3, r4, r5, r6, r7, r8, r9};
    for (int i = 0; i < 10; i++)
        CHECK_EQ(found[i], i + 10);
    return check_result();
}
