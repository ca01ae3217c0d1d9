// The variables of a teams construct arrive in every team, few and many, shared and private, of all
// sizes.
//#Opt:-O0,-O2
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>

typedef struct {
    long words[5];
} large;

int main(void)
{
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    double x = 0.5, y = 0.25;
    float z = 0.125f;
    char small = 9;
    long long wide = 10;
    large block = {{1, 2, 3, 4, 5}};
    int array[4] = {1, 2, 3, 4}, visits = 0;
#pragma omp teams num_teams(3) firstprivate(a, b, c, d, e, f, g, h, x, y, z, small, wide, block, array)
    {
        int team = omp_get_team_num();
        CHECK_EQ(a + b + c + d + e + f + g + h, 36);
        CHECK(x + y + z == 0.875);
        CHECK_EQ(small + wide, 19);
        CHECK_EQ(block.words[0] + block.words[4], 6);
        CHECK_EQ(array[0] + array[3], 5);
        // They are the team's own.
        a = b = c = d = e = f = g = h = team;
        x = team;
        block.words[4] = team;
        array[3] = team;
        __atomic_fetch_add(&visits, 1 + a - team, __ATOMIC_RELAXED);
    }
    CHECK_EQ(visits, 3);
#pragma omp teams num_teams(3) shared(a, b, c, d, e, f, g, h, x, y, z, small, wide, block, array)
    {
        __atomic_fetch_add(&a, b + c + d + e + f + g + h, __ATOMIC_RELAXED);
        __atomic_fetch_add(&wide, small, __ATOMIC_RELAXED);
        __atomic_fetch_add(&array[omp_get_team_num()], (int)block.words[4], __ATOMIC_RELAXED);
        CHECK(x + y + z == 0.875);
    }
    CHECK_EQ(a, 1 + 3 * 35);
    CHECK_EQ(wide, 10 + 3 * 9);
    CHECK_EQ(array[0] + array[1] + array[2], 6 + 15);
    visits = 0;
#pragma omp teams num_teams(2)
    __atomic_fetch_add(&visits, 1, __ATOMIC_RELAXED);
    CHECK_EQ(visits, 2);
    return check_result();
}
