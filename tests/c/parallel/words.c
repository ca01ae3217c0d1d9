// Any number of captured words, of every kind, reaches each thread unchanged.
//#Opt:-O0,-O2,-O3
//#Threads:1,3
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string.h>

static int entered;

static void none(void)
{
#pragma omp parallel
    {
#pragma omp atomic
        entered++;
    }
}

static void one(int a)
{
#pragma omp parallel firstprivate(a)
    {
        CHECK_EQ(a, -7);
        a = omp_get_thread_num();
    }
    CHECK_EQ(a, -7);
}

static void five(signed char a, short b, float c, double d, long e)
{
#pragma omp parallel firstprivate(a, b, c, d, e)
    {
        CHECK_EQ(a, -1);
        CHECK_EQ(b, -30000);
        CHECK(c == 1.5f);
        CHECK(d == -2.25);
        CHECK_EQ(e, 1L << 40);
        a = 0, b = 0, c = 0, d = 0, e = 0;
    }
}

static void six(unsigned char a, float b, double *c, double d, int e, unsigned long f)
{
#pragma omp parallel firstprivate(a, b, c, d, e, f)
    {
        CHECK_EQ(a, 255);
        CHECK(b == -0.5f);
        CHECK(*c == 3.5);
        CHECK(d == 1e300);
        CHECK_EQ(e, -2147483647 - 1);
        CHECK(f == ~0UL);
        a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
    }
}

struct block {
    long word[9];
};

static void twenty(int base)
{
    int a = base + 1, b = base + 2, c = base + 3, d = base + 4, e = base + 5;
    double f = base + 6.5, g = base + 7.5, h = base + 8.5, i = base + 9.5, j = base + 10.5;
    float k = base + 11.25f, l = base + 12.25f;
    char m = 13, n = 14;
    long o = base + 15L, p = base + 16L;
    unsigned char q = 17;
    short r = 18;
    struct block s;
    for (int x = 0; x < 9; x++)
        s.word[x] = base * 100L + x;
    int *t = &base, shared = 0;
#pragma omp parallel firstprivate(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
    {
        CHECK_EQ(a, *t + 1);
        CHECK_EQ(b, *t + 2);
        CHECK_EQ(c, *t + 3);
        CHECK_EQ(d, *t + 4);
        CHECK_EQ(e, *t + 5);
        CHECK(f == *t + 6.5 && g == *t + 7.5 && h == *t + 8.5 && i == *t + 9.5 && j == *t + 10.5);
        CHECK(k == *t + 11.25f && l == *t + 12.25f);
        CHECK(m == 13 && n == 14 && q == 17 && r == 18);
        CHECK(o == *t + 15 && p == *t + 16);
        for (int x = 0; x < 9; x++)
            CHECK_EQ(s.word[x], *t * 100L + x);
        memset(&s, 0, sizeof s);
        a = b = c = d = e = 0;
        f = g = h = i = j = k = l = 0;
        m = n = q = r = 0;
        o = p = 0;
#pragma omp atomic
        shared++;
        t = NULL;
    }
    CHECK_EQ(shared, omp_get_max_threads());
    CHECK(a == base + 1 && f == base + 6.5 && t == &base);
}

int main(void)
{
    double pointed = 3.5;
    for (int i = 0; i < 20; i++) {
        none();
        one(-7);
        five(-1, -30000, 1.5f, -2.25, 1L << 40);
        six(255, -0.5f, &pointed, 1e300, -2147483647 - 1, ~0UL);
        twenty(i * 1000);
    }
    CHECK_EQ(entered, 20 * omp_get_max_threads());
    return check_result();
}
