// Teams of changing sizes: everybody is where the size of the day puts them.
//#Flags:-D_GNU_SOURCE
//#Needs:2 processors
//#Env:OMP_PLACES={<p0>},{<p1>}
//#Env:OMP_PROC_BIND=close
//#NoStderr
//#ReferenceFails:libgomp, after larger teams, puts three of four threads on one place
#include "bound.h"

int main(void)
{
    const int sizes[] = {2, 4, 1, 2, 6, 3, 4};
    for (int round = 0; round < 21; round++) {
        int size = sizes[round % 7], on_first = 0;
#pragma omp parallel num_threads(size) reduction(+ : on_first)
        {
            CHECK_EQ(omp_get_num_threads(), size);
            on_first += check_bound() == 0;
        }
        CHECK_EQ(on_first, (size + 1) / 2);
    }
    return check_result();
}
