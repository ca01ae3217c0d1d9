// Ten thousand tasks wait for one that another thread runs until all of them have been made: whoever makes
// them does not stand still for each.
//#Threads:2,4
//#Timeout:60
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <omp.h>
#include <unistd.h>

static int get(const int *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

int main(void)
{
    enum { COUNT = 10000, PATIENCE = 9 };
    int version = 0, begun = 0, made = 0, seen = 0, is_late = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : version) shared(version, begun, made, is_late)
        {
            __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
            const double start = omp_get_wtime();
            while (get(&made) != COUNT && !is_late)
                is_late = omp_get_wtime() - start > PATIENCE;
            version = 1;
        }
        while (!get(&begun))
            usleep(100);
        for (int i = 0; i < COUNT; i++) {
#pragma omp task depend(in : version) shared(version, seen)
#pragma omp atomic update
            seen += version;
            __atomic_store_n(&made, i + 1, __ATOMIC_RELAXED);
        }
    }
    CHECK_EQ(seen, COUNT);
    CHECK_EQ(is_late, 0);
    return check_result();
}
