// The last iteration's value comes out, whoever ran it, in every schedule.
//#Opt:-O0,-O2
//#Threads:1,2,3,4
//#ReferenceFails:libomp's dynamic loops with chunks lose the last iteration's mark now and then
//#NoStderr
#include "check.h"
#include <omp.h>

#define LOOP(clause, n)                                                                            \
    {                                                                                              \
        int last = -1, start = round;                                                              \
        long sum = 0;                                                                              \
        _Pragma(clause) for (int i = 0; i < n; i++)                                                \
        {                                                                                          \
            last = i + start;                                                                      \
            sum += start;                                                                          \
        }                                                                                          \
        CHECK_EQ(last, n - 1 + round);                                                             \
        CHECK_EQ(sum, n * round);                                                                  \
    }

#define TEXT(x) #x
#define CLAUSE(schedule_clause) TEXT(omp parallel for lastprivate(last) firstprivate(start) reduction(+ : sum) schedule_clause)

int main(void)
{
    for (int round = 0; round < 50; round++) {
        LOOP(CLAUSE(schedule(static)), 100)
        LOOP(CLAUSE(schedule(static, 7)), 100)
        LOOP(CLAUSE(schedule(dynamic)), 100)
        LOOP(CLAUSE(schedule(dynamic, 3)), 100)
        LOOP(CLAUSE(schedule(monotonic : dynamic, 3)), 101)
        LOOP(CLAUSE(schedule(guided)), 100)
        LOOP(CLAUSE(schedule(guided, 9)), 102)
        LOOP(CLAUSE(schedule(runtime)), 100)
        LOOP(CLAUSE(schedule(dynamic, 200)), 100)
        LOOP(CLAUSE(schedule(static)), 1)
        LOOP(CLAUSE(schedule(dynamic)), 1)
        LOOP(CLAUSE(schedule(guided)), 2)
    }
    return check_result();
}
