// fork(2) in an explicit task, by the thread that made it and by one that stole it, where tasks are
// waited for in every way. In the child the thread goes on: it finds its tasks complete, makes others,
// and ends where it would have ended. Tasks that nobody had begun are the parent's alone.
//#Threads:2,4
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp waits for tasks of threads that are gone
//#Timeout:120
//#NoStderr
#include "check.h"
#include <omp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS = 24 };

enum wait { TASKWAIT, TASKGROUP, BARRIER, REGION_END, TASKWAIT_DEPEND, UNDEFERRED, YIELD, WAITS };

// Shared with the children.
static struct progress {
    int begun_in_parent, begun_in_child, outlived, failures;
    unsigned char by_child[TASKS];
} *progress;

static pid_t program;
static int forker, forks, has_forked;

static int in_child(void)
{
    return getpid() != program;
}

static int now(int *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

// Tasks of every kind, on all threads of a team, and dependences on what the parent's tasks depended
// on.
static void use_tasks(int *location, int size)
{
    int sum = 0, steps = 0, started = 0, group = 0;
#pragma omp parallel num_threads(size) shared(sum, steps)
    {
#pragma omp single
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : *location) shared(steps)
                steps++;
            }
#pragma omp taskgroup task_reduction(+ : group)
            {
#pragma omp taskloop in_reduction(+ : group) num_tasks(10)
                for (int i = 0; i < 100; i++)
                    group += i;
            }
        }
        int mine = 0;
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(mine) depend(inout : mine)
            mine++;
#pragma omp task depend(in : *location) shared(started)
            {
#pragma omp atomic
                started++;
            }
        }
#pragma omp taskwait
#pragma omp atomic
        sum += mine;
    }
    CHECK_EQ(steps, 20);
    CHECK_EQ(sum, 10 * size);
    CHECK_EQ(started, 10 * size);
    CHECK_EQ(group, 4950);
}

// The task `i` runs: the first on the wanted thread forks, and those on others last until then.
static void body(int i)
{
    if (in_child()) {
        __atomic_add_fetch(&progress->begun_in_child, 1, __ATOMIC_RELAXED);
        progress->by_child[i] = 1;
        return;
    }
    __atomic_add_fetch(&progress->begun_in_parent, 1, __ATOMIC_RELAXED);
    int me = omp_get_thread_num() == 0 ? 0 : 1;
    if (me != forker || __atomic_exchange_n(&forks, 1, __ATOMIC_ACQ_REL)) {
        while (!now(&has_forked))
            usleep(100);
        return;
    }
    int children = 0;
    usleep(1000);
    pid_t child = fork();
    if (child != 0) {
        int status = -1;
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
        __atomic_store_n(&has_forked, 1, __ATOMIC_RELEASE);
        return;
    }
    alarm(30);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    // Its own children, before and after it has a taskgroup.
    for (int k = 0; k < 5; k++) {
#pragma omp task shared(children)
        {
#pragma omp atomic
            children++;
        }
    }
#pragma omp taskwait
    CHECK_EQ(children, 5);
#pragma omp taskgroup
    {
#pragma omp task shared(children) depend(out : children)
        children++;
#pragma omp task shared(children) depend(in : children)
        CHECK_EQ(children, 6);
    }
    __atomic_add_fetch(&progress->outlived, 1, __ATOMIC_RELAXED);
    progress->failures += check_result();
}

static void make(int first, int *location)
{
    for (int i = first; i < TASKS; i++) {
        if (i % 4 == 3) {
#pragma omp task depend(inout : *location) firstprivate(i)
            body(i);
        } else {
#pragma omp task firstprivate(i)
            body(i);
        }
    }
}

// What the thread that waited does in the child, if it is the one that is left.
static void goes_on(int *location)
{
    if (!in_child())
        return;
    int done = 0;
#pragma omp task depend(inout : *location) shared(done)
    done++;
#pragma omp task depend(inout : *location) shared(done)
    done++;
#pragma omp taskwait
    CHECK_EQ(done, 2);
    progress->outlived += 10;
    progress->failures += check_result();
}

static void region(enum wait wait)
{
    int location = 0, done = 0;
#pragma omp parallel shared(location)
    {
        if (omp_get_thread_num() == 0) {
            switch (wait) {
            case TASKWAIT:
                make(0, &location);
#pragma omp taskwait
                break;
            case TASKGROUP:
#pragma omp taskgroup
                {
                    make(0, &location);
#pragma omp taskgroup
                    make(TASKS / 2, &location);
                }
                break;
            case TASKWAIT_DEPEND:
                make(0, &location);
#pragma omp taskwait depend(in : location)
#pragma omp taskwait
                break;
            case UNDEFERRED:
                make(0, &location);
#pragma omp task if (0) depend(inout : location) shared(done)
                done = 1;
                CHECK_EQ(done, 1);
#pragma omp taskwait
                break;
            case YIELD:
                make(0, &location);
                while (!now(&has_forked) && !in_child()) {
#pragma omp taskyield
                }
#pragma omp taskwait
                break;
            default:
                make(0, &location);
                break;
            }
            if (wait < BARRIER)
                goes_on(&location);
        }
        if (wait != REGION_END) {
#pragma omp barrier
            if (in_child())
                goes_on(&location);
        }
    }
    if (!in_child())
        return;
    // Only the primary thread comes here; a worker ended with the region.
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    use_tasks(&location, 2);
    use_tasks(&location, 4);
    progress->outlived += 100;
    progress->failures += check_result();
    _exit(progress->failures);
}

int main(void)
{
    program = getpid();
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int round = 0; round < 2 * WAITS; round++) {
        memset(progress, 0, sizeof *progress);
        forks = has_forked = 0;
        forker = round % 2;
        enum wait wait = round / 2;
        region(wait);
        CHECK_EQ(now(&has_forked), 1);
        CHECK_EQ(progress->failures, 0);
        CHECK_EQ(progress->begun_in_parent, wait == TASKGROUP ? TASKS + TASKS / 2 : TASKS);
        // No task is executed in both.
        CHECK_EQ(progress->begun_in_child, 0);
        CHECK_EQ(progress->outlived % 10, 1);
        CHECK_EQ(progress->outlived >= 100, forker == 0);
    }
    return check_result();
}
