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
    return check_result();
}
