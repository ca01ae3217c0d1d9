// fork(2) within nested regions, by each thread in turn. The child is alone on every level, leaves
// those regions that its thread had begun, and ends where its thread would have ended.
//#Env:OMP_MAX_ACTIVE_LEVELS=3
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp hangs; that of libomp cannot go on from within a region
//#Timeout:60
//#NoStderr
//#NotEmulated:the emulator may hang in the child of a process with threads
#include "check.h"
#include <omp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTER = 2, INNER = 3 };

// How far the child has come; shared with the parent.
static struct progress {
    int inner, outer, main, failures;
} *progress;

static pid_t program;

static int in_child(void)
{
    return getpid() != program;
}

static void check_alone(int level)
{
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    for (int above = 1; above < level; above++) {
        CHECK_EQ(omp_get_ancestor_thread_num(above), 0);
        CHECK_EQ(omp_get_team_size(above), 1);
    }
    int members = 0, singles = 0, sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : members, singles, sum)
    {
        members++;
#pragma omp single
        singles++;
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 30; i++)
            sum += i;
    }
    CHECK_EQ(members, 3);
    CHECK_EQ(singles, 1);
    CHECK_EQ(sum, 435);
}

static void fork_and_wait(void)
{
    pid_t child = fork();
    if (child == 0)
        return;
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

static void run(int outer_forks, int inner_forks)
{
#pragma omp parallel num_threads(OUTER)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(INNER)
        {
            if (outer == outer_forks && omp_get_thread_num() == inner_forks) {
                fork_and_wait();
                if (in_child()) {
                    check_alone(2);
                    progress->inner = 1;
                }
            }
#pragma omp barrier
        }
        if (in_child()) {
            check_alone(1);
            progress->outer = 1;
            progress->failures = check_result();
        }
    }
    if (in_child()) {
        check_alone(0);
        progress->main = 1;
        _exit(check_result());
    }
}

int main(void)
{
    program = getpid();
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int outer = 0; outer < OUTER; outer++) {
        for (int inner = 0; inner < INNER; inner++) {
            *progress = (struct progress){0};
            run(outer, inner);
            CHECK_EQ(progress->inner, 1);
            CHECK_EQ(progress->outer, inner == 0);
            CHECK_EQ(progress->main, outer == 0 && inner == 0);
            CHECK_EQ(progress->failures, 0);
        }
    }
    return check_result();
}
