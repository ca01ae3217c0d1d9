// A wavefront in two loops, by every schedule; also when the threads share out both loops.
//#Opt:-O0,-O2
//#Threads:1,2,3,4
//#Vary:OMP_SCHEDULE=static|static,3|dynamic|dynamic,5|guided|auto|trapezoidal,2|nonmonotonic:dynamic,2
//#ReferenceFails[gcc]:libgomp does not know trapezoidal
//#Timeout:60
//#NoStderr
#include "check.h"
#include "wavefront.h"

#define SINGLE(clauses)                                                                            \
    {                                                                                              \
        Table t = new_table(37, 41);                                                               \
        _Pragma("omp parallel") _Pragma(clauses) for (int i = 0; i < t.rows; i++)                  \
            for (int j = 0; j < t.columns; j++) {                                                  \
                _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)")             \
                    MIX(t, t.found, i, j);                                                         \
                _Pragma("omp ordered depend(source)")                                              \
            }                                                                                      \
        for (int i = 0; i < t.rows; i++)                                                           \
            for (int j = 0; j < t.columns; j++)                                                    \
                MIX(t, t.wanted, i, j);                                                            \
        CHECK(is_right(t));                                                                        \
        free_table(t);                                                                             \
    }

// Columns that do not depend on each other: an iteration is posted without those before it in its
// row. Some take their time.
#define COLUMNS(clauses)                                                                           \
    {                                                                                              \
        long found[24 * 24] = {0};                                                                 \
        _Pragma("omp parallel") _Pragma(clauses) for (int i = 0; i < 24; i++)                      \
            for (int j = 0; j < 24; j++) {                                                         \
                _Pragma("omp ordered depend(sink : i - 1, j)")                                     \
                    long above = i > 0 ? found[(i - 1) * 24 + j] : 0;                              \
                for (volatile int k = 0; k < (i * 5 + j * 3) % 7 * 100; k++)                       \
                    ;                                                                              \
                found[i * 24 + j] = above + 1;                                                     \
                _Pragma("omp ordered depend(source)")                                              \
            }                                                                                      \
        for (int i = 0; i < 24 * 24; i++)                                                          \
            CHECK_EQ(found[i], i / 24 + 1);                                                        \
    }

int main(void)
{
    int chunk = 4;
    SINGLE("omp for ordered(2)")
    SINGLE("omp for ordered(2) schedule(static)")
    SINGLE("omp for ordered(2) schedule(static, 1)")
    SINGLE("omp for ordered(2) schedule(static, chunk)")
    SINGLE("omp for ordered(2) schedule(dynamic)")
    SINGLE("omp for ordered(2) schedule(dynamic, chunk)")
    SINGLE("omp for ordered(2) schedule(monotonic : dynamic)")
    SINGLE("omp for ordered(2) schedule(guided)")
    SINGLE("omp for ordered(2) schedule(guided, chunk)")
    SINGLE("omp for ordered(2) schedule(auto)")
    SINGLE("omp for ordered(2) schedule(runtime)")
    SINGLE("omp for ordered(2) collapse(2)")
    SINGLE("omp for ordered(2) collapse(2) schedule(static, 1)")
    SINGLE("omp for ordered(2) collapse(2) schedule(static, chunk)")
    SINGLE("omp for ordered(2) collapse(2) schedule(dynamic)")
    SINGLE("omp for ordered(2) collapse(2) schedule(dynamic, chunk)")
    SINGLE("omp for ordered(2) collapse(2) schedule(guided)")
    SINGLE("omp for ordered(2) collapse(2) schedule(runtime)")
    COLUMNS("omp for ordered(2) schedule(static, 1)")
    COLUMNS("omp for ordered(2) collapse(2) schedule(static, 1)")
    COLUMNS("omp for ordered(2) collapse(2) schedule(dynamic, chunk)")
    COLUMNS("omp for ordered(2) collapse(2) schedule(guided)")
    COLUMNS("omp for ordered(2) collapse(2) schedule(runtime)")
    return check_result();
}
