// Enter data, exit data and updates that are deferred: with dependences, conditions, and data that leave
// while other constructs hold them.
//#Threads:1,4
//#Repeat:3
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { PIECES = 16, LENGTH = 500 };

int main(void)
{
    int device = omp_get_default_device(), yes = atoi("1"), no = atoi("0");
    int *all = malloc(PIECES * LENGTH * sizeof *all);
    for (int i = 0; i < PIECES * LENGTH; i++)
        all[i] = i;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < PIECES; k++) {
        int *piece = all + k * LENGTH;
#pragma omp target enter data map(to : piece[0 : LENGTH]) depend(out : piece[0]) nowait
#pragma omp target enter data map(to : piece[0 : LENGTH]) depend(inout : piece[0]) nowait if (yes)
#pragma omp target enter data map(to : piece[0 : LENGTH]) depend(inout : piece[0]) nowait if (no)
#pragma omp target parallel for map(alloc : piece[0 : LENGTH]) depend(inout : piece[0]) nowait
        for (int i = 0; i < LENGTH; i++)
            piece[i] += 5;
#pragma omp target exit data map(from : piece[0 : LENGTH]) depend(inout : piece[0]) nowait
#pragma omp task depend(inout : piece[0])
        {
            CHECK(omp_target_is_present(piece, device));
            CHECK_EQ(piece[1], k * LENGTH + 1);
        }
#pragma omp target exit data map(from : piece[0 : LENGTH]) depend(inout : piece[0]) nowait
#pragma omp task depend(inout : piece[0])
        {
            CHECK(!omp_target_is_present(piece, device));
            CHECK_EQ(piece[1], k * LENGTH + 6);
        }
    }
    for (int i = 0; i < PIECES * LENGTH; i++)
        CHECK_EQ(all[i], i + 5);
    free(all);
    return check_result();
}
