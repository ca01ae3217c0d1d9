// Nests of loops as one: collapsed, with bounds that depend on outer variables, tiled and unrolled.
// Each iteration once, and lastprivate from the one that is last in sequence.
//#Opt:-O0,-O2
//#Flags:-Wno-maybe-uninitialized -Wno-unknown-warning-option
//#Threads:1,2,4
//#ReferenceFails[clang]:libomp loses the value of lastprivate in a dynamic loop
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string.h>

enum { N = 23 };

static int times[N][N][N];
static long where;

// Every triple that `wanted` admits has been counted once, the others never.
#define JUDGE(wanted)                                                                              \
    {                                                                                              \
        int wrong = 0;                                                                             \
        for (int i = 0; i < N; i++)                                                                \
            for (int j = 0; j < N; j++)                                                            \
                for (int k = 0; k < N; k++)                                                        \
                    wrong += times[i][j][k] != (wanted);                                           \
        CHECK_EQ(wrong, 0);                                                                        \
        memset(times, 0, sizeof times);                                                            \
    }

#define COUNT(i, j, k)                                                                             \
    {                                                                                              \
        _Pragma("omp atomic") times[i][j][k]++;                                                    \
    }

static void rectangles(int a, int b, int c)
{
#define NEST(clauses)                                                                              \
    where = -1;                                                                                    \
    _Pragma(clauses) for (int i = 0; i < a; i++)                                                   \
        for (unsigned char j = (unsigned char)b; j > 0; j--)                                       \
            for (long k = 1; k <= c; k += 2)                                                       \
            {                                                                                      \
                COUNT(i, j - 1, k)                                                                 \
                where = (i * 100 + j) * 100 + k;                                                   \
            }                                                                                      \
    if (a > 0 && b > 0 && c > 0)                                                                   \
        CHECK_EQ(where, ((a - 1) * 100 + 1) * 100 + (c - 1) / 2 * 2 + 1);                          \
    JUDGE(i < a && j < b && k % 2 == 1 && k <= c)
    NEST("omp parallel for collapse(3) lastprivate(where)")
    NEST("omp parallel for collapse(3) lastprivate(where) schedule(static, 4)")
    NEST("omp parallel for collapse(3) lastprivate(where) schedule(dynamic, 3)")
    NEST("omp parallel for collapse(3) lastprivate(where) schedule(guided)")
    NEST("omp parallel for collapse(3) lastprivate(where) schedule(runtime)")
#undef NEST
}

// gcc allows no schedule for these.
#ifdef __clang__
#define SCHEDULED(nest)                                                                            \
    nest("omp parallel for collapse(2)") nest("omp parallel for collapse(2) schedule(static, 3)")  \
    nest("omp parallel for collapse(2) schedule(dynamic, 5)")                                      \
    nest("omp parallel for collapse(2) schedule(guided)")
#else
#define SCHEDULED(nest) nest("omp parallel for collapse(2)")
#endif

static void triangles(int n)
{
#define LOWER(clauses)                                                                             \
    _Pragma(clauses) for (int i = 0; i < n; i++)                                                   \
        for (int j = 0; j <= i; j++)                                                               \
            COUNT(i, j, 0)                                                                         \
    JUDGE(i < n && j <= i && k == 0)
#define UPPER(clauses)                                                                             \
    _Pragma(clauses) for (int i = 0; i < n; i++)                                                   \
        for (int j = i + 1; j < n; j++)                                                            \
            COUNT(i, j, 0)                                                                         \
    JUDGE(i < n && j < n && j > i && k == 0)
#define DOWN(clauses)                                                                              \
    _Pragma(clauses) for (int i = n - 1; i >= 0; i--)                                              \
        for (int j = 3 * i + 1; j > i; j -= 2)                                                     \
            if (j < N)                                                                             \
                COUNT(i, j, 0)                                                                     \
    JUDGE(i < n && j > i && j <= 3 * i + 1 && (j - i) % 2 == 1 && k == 0)
#define BAND(clauses)                                                                              \
    _Pragma(clauses) for (long i = 3; i < n; i += 2)                                               \
        for (long j = i - 3; j <= i + 1; j++)                                                      \
            if (j < N)                                                                             \
                COUNT(i, j, 1)                                                                     \
    JUDGE(i >= 3 && i < n && i % 2 == 1 && j >= i - 3 && j <= i + 1 && k == 1)
    SCHEDULED(LOWER)
    SCHEDULED(UPPER)
    SCHEDULED(DOWN)
    // gcc 12 computes bounds of its own for the inner one, in each runtime.
#ifdef __clang__
    SCHEDULED(BAND)
#endif
}

static void inside(int n)
{
    // The worksharing loop collapses, the loop inside of it does not.
#pragma omp parallel
    {
#pragma omp for collapse(2) nowait
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = i; k < n; k++)
                    COUNT(i, j, k)
#pragma omp for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < i; k++)
                    COUNT(i, j, k)
    }
    JUDGE(i < n && j < n && k < n)
#ifdef __clang__
#pragma omp parallel for
#pragma omp tile sizes(4, 3)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            COUNT(i, j, 0)
    JUDGE(i < n && j < n && k == 0)
#pragma omp parallel for
#pragma omp unroll partial(4)
    for (int i = 0; i < n; i++)
        COUNT(i, 0, 0)
    JUDGE(i < n && j == 0 && k == 0)
#endif
}

int main(void)
{
    for (int round = 0; round < 3; round++) {
        rectangles(N, 7, 9);
        rectangles(1, 1, 1);
        rectangles(5, 0, 3);
        rectangles(0, 4, 3);
        for (int n = 0; n <= N; n += n < 4 ? 1 : 6)
            triangles(n);
        inside(N);
        inside(2);
    }
    return check_result();
}
