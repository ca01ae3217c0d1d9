// lastprivate, collapse, iterators, and a worksharing loop bound to no region.
//#Opt:-O0,-O2
//#Threads:1,3,4
//#SameStdoutAs:reference
//#NoStderr
#include "check.h"
#include <omp.h>
#include <vector>

int main()
{
    for (int round = 0; round < 20; round++) {
        int last = -1;
#pragma omp parallel for lastprivate(last) schedule(static)
        for (int i = 50; i > 0; i -= 7)
            last = i;
        CHECK_EQ(last, 1);

        std::vector<int> grid(7 * 11 * 3);
#pragma omp parallel for collapse(3) schedule(guided)
        for (int x = 0; x < 7; x++)
            for (int y = 10; y >= 0; y--)
                for (long z = 0; z < 3; z++)
                    grid[(x * 11 + y) * 3 + z] += x * 100 + y * 10 + z;
        for (int x = 0; x < 7; x++)
            for (int y = 0; y < 11; y++)
                for (int z = 0; z < 3; z++)
                    CHECK_EQ(grid[(x * 11 + y) * 3 + z], x * 100 + y * 10 + z);

        long total = 0;
#pragma omp parallel for reduction(+ : total)
        for (auto it = grid.begin(); it < grid.end(); ++it)
            total += *it;
        printf("%ld\n", total);
    }
    int alone = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++)
        alone += i;
#pragma omp for schedule(static)
    for (int i = 0; i < 10; i++)
        alone += i;
    CHECK_EQ(alone, 90);
    return check_result();
}
