// Cancellation binds to the innermost region: an outer region goes on, and a region inside the
// cancelled one ends first. Tasks of a cancelled parallel region are discarded or complete.
//#Threads:2,4
//#Env:OMP_CANCELLATION=true
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Timeout:60
#include "check.h"
#include <omp.h>

static void inner_is_cancelled(void)
{
    int after = 0, inner = 0;
#pragma omp parallel num_threads(2) shared(after, inner)
    {
#pragma omp parallel num_threads(3) shared(inner)
        {
#pragma omp cancel parallel if (omp_get_thread_num() == 1)
#pragma omp barrier
#pragma omp atomic
            inner += 1;
        }
#pragma omp barrier
#pragma omp atomic
        after += 1;
    }
    CHECK_EQ(after, 2);
    // A serialized region has no thread 1.
    CHECK(inner <= 2);
}

static void inner_ends_first(void)
{
    int inner = 0, after = 0;
#pragma omp parallel num_threads(2) shared(inner, after)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
#pragma omp parallel num_threads(2) shared(inner)
        {
#pragma omp barrier
#pragma omp atomic
            inner += 1;
        }
#pragma omp barrier
#pragma omp atomic
        after += 1;
    }
    CHECK(inner <= 4);
    CHECK_EQ(after, 0);
}

// Every task begins before the cancellation, or is discarded: none is left for the next region.
static void tasks(void)
{
    static int began, ended;
    began = ended = 0;
#pragma omp parallel
    {
        for (int i = 0; i < 50; i++) {
#pragma omp task
            {
#pragma omp atomic
                began += 1;
#pragma omp task
                {
#pragma omp atomic
                    began += 1;
#pragma omp atomic
                    ended += 1;
                }
#pragma omp taskwait
#pragma omp atomic
                ended += 1;
            }
        }
        if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
        }
#pragma omp barrier
    }
    CHECK_EQ(began, ended);
    int before = began;
#pragma omp parallel
    {
#pragma omp barrier
    }
    CHECK_EQ(began, before);
}

int main(void)
{
    for (int round = 0; round < 100; round++) {
        inner_is_cancelled();
        inner_ends_first();
        tasks();
    }
    return check_result();
}
