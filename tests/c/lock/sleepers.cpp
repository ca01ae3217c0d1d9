// Waiters of a lock that is held long sleep and are woken, and a C++ guard unsets on every path.
//#Env:OMP_NUM_THREADS=6
//#Vary:OMP_WAIT_POLICY=active|passive
//#NoStderr
#include "check.h"
#include <omp.h>
#include <unistd.h>

class Guard {
    omp_lock_t &lock;

  public:
    explicit Guard(omp_lock_t &held) : lock(held) { omp_set_lock(&lock); }
    ~Guard() { omp_unset_lock(&lock); }
};

int main()
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    int entered = 0, thrown = 0;
#pragma omp parallel
    for (int round = 0; round < 5; round++) {
        try {
            Guard guard(lock);
            usleep(3000);
            entered++;
            if (round % 2)
                throw round;
        } catch (int) {
#pragma omp atomic
            thrown++;
        }
    }
    CHECK_EQ(entered, 30);
    CHECK_EQ(thrown, 12);
    omp_destroy_lock(&lock);
    return check_result();
}
