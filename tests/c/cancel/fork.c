// The child of fork(2) of a region that is cancelled: regions of the child are complete, whichever
// threads had left a barrier before, or had cancelled a region inside.
//#Threads:3
//#Env:OMP_CANCELLATION=true
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Timeout:60
//#NotRecorded:the child inherits the log
//#ReferenceFails:the child of a region's thread hangs on both references
#include "check.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static int waiting, left, forked;

// The compiler does not know that this barrier is in a cancellable region.
__attribute__((noinline)) static void plain_barrier(void)
{
#pragma omp barrier
}

static void await(int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        usleep(1000);
}

static void set(int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static int members(int wanted)
{
    int count = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : count)
    {
        count++;
#pragma omp barrier
    }
    return count;
}

// Ends the child, or waits for it.
static void judge(pid_t child)
{
    if (child == 0)
        _exit(members(3) == 3 && members(3) == 3 ? 0 : 1);
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

// Thread 1 has left a barrier, with its arrival kept, when thread 0 forks.
static void a_thread_has_left(void)
{
    pid_t child = -1, parent = getpid();
    waiting = left = forked = 0;
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            await(&left);
            child = fork();
            set(&forked);
        } else if (me == 1) {
            set(&waiting);
            plain_barrier();
            set(&left);
            await(&forked);
        } else {
            await(&waiting);
            usleep(10000);
#pragma omp cancel parallel
        }
    }
    judge(getpid() == parent ? child : 0);
}

// A region inside, of another thread, is cancelled when thread 0 forks.
static void a_region_inside_is_cancelled(void)
{
    pid_t child = -1, parent = getpid();
    int passed = 0;
    waiting = left = forked = 0;
#pragma omp parallel num_threads(2)
    members(2);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        await(&waiting);
        child = fork();
        set(&forked);
    } else {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
            }
            set(&waiting);
            await(&forked);
        }
    }
    if (getpid() != parent) {
#pragma omp parallel num_threads(2) reduction(+ : passed)
        passed += members(2);
        _exit(passed == 4 ? 0 : 1);
    }
    judge(child);
}

int main(void)
{
    for (int round = 0; round < 20; round++) {
        a_thread_has_left();
        a_region_inside_is_cancelled();
    }
    return check_result();
}
