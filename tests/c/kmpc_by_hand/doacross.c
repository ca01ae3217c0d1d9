// Calls that no compiler emits: bounds that are both included, descending loops and steps, sinks
// between two iterations, spaces that no table holds, waits and posts outside of a loop.
//#Compilers:clang
//#Opt:-O0,-O2
//#Threads:1,2,4
//#ReferenceFails:libomp allocates a bit for each iteration of the space
//#NoStderr
#include "check.h"
#include <limits.h>
#include <omp.h>

typedef struct {
    long long lo, up, st;
} Dim;

extern int __kmpc_global_thread_num(void *);
extern void __kmpc_doacross_init(void *, int, int, const Dim *);
extern void __kmpc_doacross_post(void *, int, const long long *);
extern void __kmpc_doacross_wait(void *, int, const long long *);
extern void __kmpc_doacross_fini(void *, int);

static void single(long long lo, long long up, long long st, int count)
{
    Dim dims[1] = {{lo, up, st}};
    long sum = 0;
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(0);
        __kmpc_doacross_init(0, gtid, 1, dims);
#pragma omp for schedule(monotonic : dynamic) nowait
        for (int i = 0; i < count; i++) {
            long long value[1] = {(long long)((unsigned long long)lo + (unsigned long long)i * (unsigned long long)st)};
            long long sink[1] = {(long long)((unsigned long long)value[0] - (unsigned long long)st)};
            if (i > 0)
                __kmpc_doacross_wait(0, gtid, sink);
            if (st != 1 && st != -1) {
                // No iteration has this value.
                sink[0] = (long long)((unsigned long long)value[0] + 1);
                __kmpc_doacross_wait(0, gtid, sink);
            }
            CHECK_EQ(sum, i);
            sum++;
            __kmpc_doacross_post(0, gtid, value);
        }
        __kmpc_doacross_fini(0, gtid);
    }
    CHECK_EQ(sum, count);
}

// A wavefront in a corner of a space.
static void corner(int depth, const Dim *dims)
{
    long found[10][10] = {{0}};
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(0);
        __kmpc_doacross_init(0, gtid, depth, dims);
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++) {
                long long vector[3] = {0, 0, 0};
                // Vectors that are not in the space, and so no dependence.
                long long outside[3] = {0, dims[1].lo - 1, 0}, beyond[3] = {0, dims[1].lo, dims[1].lo};
                beyond[0] = dims[0].lo - 1;
                __kmpc_doacross_wait(0, gtid, outside);
                __kmpc_doacross_wait(0, gtid, beyond);
                vector[0] = dims[0].lo + i - 1;
                vector[depth - 1] = dims[depth - 1].lo + j;
                if (i > 0)
                    __kmpc_doacross_wait(0, gtid, vector);
                vector[0] = dims[0].lo + i;
                vector[depth - 1] = dims[depth - 1].lo + j - 1;
                if (j > 0)
                    __kmpc_doacross_wait(0, gtid, vector);
                found[i][j] = 1 + (i > 0 ? found[i - 1][j] : 0) + (j > 0 ? found[i][j - 1] : 0);
                vector[depth - 1] = dims[depth - 1].lo + j;
                __kmpc_doacross_post(0, gtid, vector);
            }
        __kmpc_doacross_fini(0, gtid);
#pragma omp barrier
    }
    long wanted[10][10];
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) {
            wanted[i][j] = 1 + (i > 0 ? wanted[i - 1][j] : 0) + (j > 0 ? wanted[i][j - 1] : 0);
            CHECK_EQ(found[i][j], wanted[i][j]);
        }
}

int main(void)
{
    long long stray[3] = {0, 0, 0};
    __kmpc_doacross_wait(0, 0, stray);
    __kmpc_doacross_post(0, 0, stray);
    __kmpc_doacross_fini(0, 0);
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(0);
        __kmpc_doacross_wait(0, gtid, stray);
        __kmpc_doacross_post(0, gtid, stray);
        __kmpc_doacross_fini(0, gtid);
    }
    single(1, 99, 1, 99);
    single(0, 98, 1, 99);
    single(-5, 93, 1, 99);
    single(93, -5, -1, 99);
    single(-100, 97, 3, 66);
    single(100, -97, -3, 66);
    single(LLONG_MIN, LLONG_MAX, LLONG_MAX, 3);
    single(LLONG_MAX, LLONG_MIN, LLONG_MIN, 2);
    single(LLONG_MIN, LLONG_MAX, 1, 20);
    single(LLONG_MAX, LLONG_MIN, -1, 20);
    single(0, 1LL << 40, 1, 50);
    Dim plane[2] = {{1, 20, 1}, {-3, 30, 1}};
    corner(2, plane);
    Dim wide[2] = {{0, 1LL << 33, 1}, {0, 1LL << 33, 1}};
    corner(2, wide);
    Dim huge[3] = {{0, 1LL << 33, 1}, {0, 1LL << 33, 1}, {0, 1LL << 33, 1}};
    corner(3, huge);
    Dim endless[2] = {{LLONG_MIN + 1, LLONG_MAX, 1}, {LLONG_MIN + 1, LLONG_MAX, 1}};
    corner(2, endless);
    return check_result();
}
