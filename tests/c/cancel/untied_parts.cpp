// A thread that leaves a cancelled region sees that the parts of untied tasks which have begun are
// executed before its objects end, if need be by itself.
//#Compilers:clang
//#Threads:2,4
//#Env:OMP_CANCELLATION=true
//#Timeout:60
#include "check.h"
#include <atomic>
#include <omp.h>
#include <unistd.h>

enum { TASKS = 30 };

static std::atomic<int> begun, ended, has_left, used_after;

struct Object {
    bool is_of_interest;
    ~Object()
    {
        if (is_of_interest)
            has_left = 1;
    }
};

static void use()
{
    usleep(20);
    if (has_left)
        used_after++;
}

static void region()
{
    begun = ended = has_left = 0;
#pragma omp parallel
    {
        Object object = {omp_get_thread_num() == 0};
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < TASKS; i++) {
#pragma omp task untied shared(object)
                {
                    begun++;
                    use();
#pragma omp taskyield
                    use();
#pragma omp taskyield
                    use();
                    ended++;
                }
            }
            while (!begun) {
#pragma omp taskyield
            }
#pragma omp cancel parallel
        }
#pragma omp barrier
        CHECK(0);
    }
    CHECK(begun > 0);
    CHECK_EQ(ended, begun);
}

int main()
{
    for (int round = 0; round < 50; round++)
        region();
    CHECK_EQ(used_after, 0);
    return check_result();
}
