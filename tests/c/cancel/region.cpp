// Objects of a cancelled region, loop and taskgroup are destroyed, those of discarded tasks
// included.
//#Threads:1,2,4
//#Env:OMP_CANCELLATION=true
//#Flags[gcc]:-Wno-error
//#Timeout:60
#include "check.h"
#include <atomic>
#include <omp.h>

static std::atomic<int> alive;

struct Object {
    Object() { alive++; }
    Object(const Object &) { alive++; }
    ~Object() { alive--; }
    int value = 1;
};

int main()
{
    for (int round = 0; round < 100; round++) {
        int sum = 0;
#pragma omp parallel
        {
            Object object;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 100; i++) {
                Object inner;
#pragma omp atomic
                sum += inner.value;
#pragma omp cancel for if (i == 30)
            }
#pragma omp cancel parallel
        }
        CHECK_EQ(alive, 0);
        Object data;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(data)
            {
#pragma omp atomic
                sum += data.value;
#pragma omp cancel taskgroup if (i == 5)
            }
        }
        CHECK_EQ(alive, 1);
    }
    return check_result();
}
