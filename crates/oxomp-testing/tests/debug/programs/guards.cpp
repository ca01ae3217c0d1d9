// Two threads of C++ hold guards of two locks in opposite order.
//#Verdict:deadlock
//#Says:@SET
//#Says:Guard
#include "planted.h"

namespace {

class Lock {
public:
    Lock() { omp_init_lock(&word); }
    omp_lock_t word;
};

class Guard {
public:
    __attribute__((noinline)) explicit Guard(Lock &lock) : lock(lock)
    {
        omp_set_lock(&lock.word); //@SET
        held++;
    }
    ~Guard()
    {
        held--;
        omp_unset_lock(&lock.word);
    }

private:
    Lock &lock;
    int held = 0;
};

} // namespace

int main()
{
    Lock left, right;
#pragma omp parallel num_threads(2)
    {
        bool first = omp_get_thread_num() == 0;
        Guard outer(first ? left : right);
        meet(2);
        Guard inner(first ? right : left);
    }
    puts("over");
    return 0;
}
