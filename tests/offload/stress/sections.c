// Threads enter, update and leave an array and sections within it at once: no count and no datum is lost,
// whoever comes first and leaves last.
//#Threads:4
//#Timeout:60
//#StockFails:it destroys a mutex for which another thread waits
#include "check.h"
#include <omp.h>

enum { THREADS = 4, CELLS = 64, TURNS = 1500 };

static int array[THREADS * CELLS];

int main(void)
{
#pragma omp parallel num_threads(THREADS)
    {
        int first = omp_get_thread_num() * CELLS;
        for (int turn = 1; turn <= TURNS; turn++) {
#pragma omp target enter data map(to : array)
#pragma omp target map(tofrom : array[first : CELLS]) firstprivate(first)
            for (int i = 0; i < CELLS; i++)
                array[first + i] += i;
            if (turn % 3 == 0) {
#pragma omp target update from(array[first : CELLS])
                CHECK_EQ(array[first + 1], turn);
                CHECK_EQ(array[first + CELLS - 1], turn * (CELLS - 1));
            }
            if (turn % 5 == 0) {
#pragma omp target data map(tofrom : array[first + 1 : CELLS - 1])
                {
#pragma omp target update to(array[first : 1])
                }
            }
#pragma omp target exit data map(from : array)
        }
    }
    CHECK(!omp_target_is_present(array, omp_get_default_device()));
    for (int i = 0; i < THREADS * CELLS; i++)
        CHECK_EQ(array[i], i % CELLS * TURNS);
    return check_result();
}
