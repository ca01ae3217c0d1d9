// A child made within a region, while the others are in inner regions, loops and ahead of it, has
// working teams: nothing of what the others were at is left.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#ReferenceFails:the child of libgomp hangs; that of libomp cannot go on from within a region
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static int step;

static int now(void)
{
    int value;
#pragma omp atomic read seq_cst
    value = step;
    return value;
}

static void next(void)
{
#pragma omp atomic update seq_cst
    step++;
}

static void wait_for(int value)
{
    // Not too often: each look is a flush that the recorder keeps.
    while (now() < value)
        usleep(200);
}

// Singles, loops and inner barriers of a team, each as often as it must be.
static void use_team(int size)
{
    int singles = 0, iterations = 0, inner = 0;
#pragma omp parallel num_threads(size) reduction(+ : singles, iterations, inner)
    {
        CHECK_EQ(omp_get_num_threads(), size);
        for (int round = 0; round < 20; round++) {
#pragma omp single
            singles++;
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 10; i++)
                iterations++;
        }
#pragma omp parallel num_threads(2) reduction(+ : inner)
        {
            for (int round = 0; round < 20; round++) {
                inner++;
#pragma omp barrier
            }
        }
    }
    CHECK_EQ(singles, 20);
    CHECK_EQ(iterations, 200);
    CHECK_EQ(inner, 40 * size);
}

// The child leaves the region alone, and goes on in main; the parent waits for it.
static void fork_and_wait(void)
{
    pid_t child = fork();
    if (child != 0) {
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
    }
    next();
}

// Thread 1 has met two singles that thread 0 has not, and is in the loop after them.
static void fork_behind_the_others(void)
{
    step = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            wait_for(1);
            fork_and_wait();
        }
        for (int i = 0; i < 2; i++) {
#pragma omp single nowait
            {
            }
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 4; i++) {
            if (now() == 0)
                next();
            wait_for(2);
        }
    }
}

// One thread of thread 1's inner team waits at a barrier for the other.
static void fork_beside_an_inner_region(void)
{
    step = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            wait_for(1);
            fork_and_wait();
        } else {
#pragma omp parallel num_threads(2)
            {
                if (omp_get_thread_num() == 0) {
                    usleep(20000); // the other is at the barrier
                    next();
                    wait_for(2);
                }
#pragma omp barrier
            }
        }
    }
}

int main(void)
{
    pid_t program = getpid();
    for (int round = 0; round < 4; round++) {
        use_team(3);
        if (round % 2 == 0)
            fork_behind_the_others();
        else
            fork_beside_an_inner_region();
        use_team(2);
        use_team(4);
        if (getpid() != program)
            _exit(check_result());
    }
    return check_result();
}
