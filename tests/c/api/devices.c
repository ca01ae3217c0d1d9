// The host is the only device, a league outside of teams is one team, and pauses leave the program
// able to go on.
//#Threads:3
//#ReferenceFails[clang]:libomp takes a pause inside a region for possible
//#NoStderr
#include "check.h"
#include <omp.h>

static int members(void)
{
    int count = 0;
#pragma omp parallel reduction(+ : count)
    count++;
    return count;
}

int main(void)
{
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(omp_get_initial_device(), 0);
    CHECK_EQ(omp_get_device_num(), 0);
    // A function pointer, since compilers know the answer to the call.
    int (*volatile is_initial)(void) = omp_is_initial_device;
    CHECK_EQ(is_initial(), 1);
    CHECK_EQ(omp_get_default_device(), 0);
    omp_set_default_device(2);
    CHECK_EQ(omp_get_default_device(), 2);
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(omp_get_default_device(), 2);
        // Of this task alone.
        omp_set_default_device(5 + omp_get_thread_num());
#pragma omp barrier
        CHECK_EQ(omp_get_default_device(), 5 + omp_get_thread_num());
    }
    CHECK_EQ(omp_get_default_device(), 2);
    omp_set_default_device(0);

    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    CHECK_EQ(omp_get_max_task_priority(), 0);

    for (int round = 0; round < 10; round++) {
        CHECK_EQ(members(), 3);
        CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
        CHECK_EQ(members(), 3);
        CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    }
    CHECK(omp_pause_resource(omp_pause_soft, 7) != 0);
    int refused = 0;
#pragma omp parallel reduction(+ : refused)
    refused += omp_pause_resource_all(omp_pause_soft) != 0;
    CHECK_EQ(refused, 3);
    return check_result();
}
