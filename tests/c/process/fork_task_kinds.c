// fork(2) in tasks of each kind, while the other threads of the team are in tasks of their own: the
// child is the thread that called, waits for none of the others, and ends its task as the parent does.
//#Threads:2,4
//#Vary:OMP_WAIT_POLICY=active|passive
//#ReferenceFails:the child of libgomp and of libomp waits for tasks of threads that are gone
//#Timeout:120
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// Shared with the children.
static struct progress {
    int outlived, failures;
} *progress;

static pid_t program;
static int staying, has_forked, forked_by_worker, location;

static int in_child(void)
{
    return getpid() != program;
}

static int now(int *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

// A task of another thread: it lasts until the process has been forked.
static void stay(void)
{
    if (in_child())
        progress->failures++;
    __atomic_add_fetch(&staying, 1, __ATOMIC_ACQ_REL);
    while (!now(&has_forked))
        usleep(100);
}

// Forks when all other threads are in tasks: whether this is the child.
static int fork_beside_others(void)
{
    while (now(&staying) < omp_get_max_threads() - 1)
        usleep(100);
    forked_by_worker = 0;
    for (int level = 1; level <= omp_get_level(); level++)
        forked_by_worker |= omp_get_ancestor_thread_num(level) > 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        return 1;
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    __atomic_store_n(&has_forked, 1, __ATOMIC_RELEASE);
    return 0;
}

static void outlive(void)
{
    progress->outlived++;
    progress->failures += check_result();
}

// The tasks of the other threads; made first, so that they are stolen first.
static void occupy_others(void)
{
    for (int i = 1; i < omp_get_max_threads(); i++) {
#pragma omp task
        stay();
    }
    while (now(&staying) < omp_get_max_threads() - 1)
        usleep(100);
}

static void in_undeferred(void)
{
    int x = 0;
    occupy_others();
#pragma omp task if (0) shared(x)
    {
        int inner = 0;
        if (fork_beside_others())
            outlive();
#pragma omp task shared(inner)
        inner++;
#pragma omp taskwait
        CHECK_EQ(inner, 1);
        x = 1;
    }
    CHECK_EQ(x, 1);
}

static void in_final(void)
{
    int x = 0;
    occupy_others();
#pragma omp task final(1) shared(x)
    {
#pragma omp task shared(x)
        {
            CHECK(omp_in_final());
            if (fork_beside_others())
                outlive();
            x++;
        }
    }
#pragma omp taskwait
    CHECK_EQ(x, 1);
}

static void in_mutexinoutset(void)
{
    int x = 0, y = 0;
    occupy_others();
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(mutexinoutset : x, y) shared(x) firstprivate(i)
        {
            x++;
            if (!now(&has_forked) && !in_child() && fork_beside_others())
                outlive();
        }
    }
#pragma omp task depend(in : y) shared(x, y)
    x += 10 + y;
#pragma omp taskwait
    CHECK_EQ(x, in_child() ? 1 : 14);
    // The locations have nobody.
#pragma omp task depend(mutexinoutset : x, y) shared(x)
    x += 100;
#pragma omp task depend(inout : x) depend(in : y) shared(x)
    x += 100;
#pragma omp taskwait
    CHECK_EQ(x, in_child() ? 201 : 214);
}

static void in_detached(void)
{
    omp_event_handle_t of_other = 0, own = 0;
    int x = 0;
    // Its body is over, and its event is nobody's in the child.
#pragma omp task detach(of_other) depend(out : x)
    {
    }
    occupy_others();
#pragma omp task detach(own) shared(x) firstprivate(of_other)
    {
        x = 1;
        int is_child = fork_beside_others();
        omp_fulfill_event(of_other);
        if (is_child)
            outlive();
        omp_fulfill_event(own);
    }
#pragma omp taskwait
    CHECK_EQ(x, 1);
#pragma omp task detach(own) shared(x)
    x = 2;
    omp_fulfill_event(own);
#pragma omp taskwait
    CHECK_EQ(x, 2);
}

static void in_untied(void)
{
    int x = 0;
    occupy_others();
#pragma omp task untied shared(x)
    {
        if (fork_beside_others())
            outlive();
#pragma omp taskyield
#pragma omp task untied shared(x)
        x++;
#pragma omp taskwait
        x++;
    }
#pragma omp taskwait
    CHECK_EQ(x, 2);
}

static void in_taskloop(void)
{
    int sum = 0, mine = 0;
    occupy_others();
#pragma omp taskloop grainsize(1) reduction(+ : sum) shared(mine)
    for (int i = 0; i < 10; i++) {
        sum++;
#pragma omp atomic
        mine++;
        if (!now(&has_forked) && !in_child() && fork_beside_others())
            outlive();
    }
    // In the child those of the parent's tasks that were complete, and the one that forked.
    CHECK_EQ(sum, mine);
    CHECK_EQ(mine, in_child() ? 1 : 10);
}

static void in_reduction(void)
{
    int sum = 0;
    occupy_others();
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
        {
            sum += 5;
#pragma omp task in_reduction(+ : sum)
            sum += 7;
#pragma omp taskwait
            if (fork_beside_others())
                outlive();
            sum += 1;
#pragma omp task in_reduction(+ : sum)
            sum += 2;
        }
    }
    CHECK_EQ(sum, 15);
}

// The task counts in the outer taskgroup, and waits for the inner one.
static void in_own_taskgroup(void)
{
    int x = 0;
    occupy_others();
#pragma omp taskgroup
    {
#pragma omp task shared(x)
        {
#pragma omp taskgroup
            {
                if (fork_beside_others())
                    outlive();
#pragma omp task shared(x)
                x++;
            }
            CHECK_EQ(x, 1);
            x++;
        }
    }
    CHECK_EQ(x, 2);
}

static void in_inner_region(void)
{
    int members = 0, x = 0;
    occupy_others();
#pragma omp task shared(members, x)
    {
#pragma omp parallel num_threads(2) reduction(+ : members)
        {
            members++;
            if (omp_get_thread_num() == 0) {
#pragma omp task shared(x) depend(inout : x)
                {
                    x++;
                    if (fork_beside_others())
                        outlive();
                }
#pragma omp task shared(x) depend(inout : x)
                x++;
#pragma omp taskwait
            }
        }
#pragma omp parallel num_threads(3) reduction(+ : members)
        members++;
    }
#pragma omp taskwait
    // In the child the second member of the inner region is gone.
    CHECK(members == 5 || in_child());
    CHECK(x == 2 || in_child());
}

static void in_inner_team_of_one(void)
{
    omp_event_handle_t event = 0;
    int x = 0;
    occupy_others();
#pragma omp task shared(x)
    {
#pragma omp parallel num_threads(1) shared(event)
        {
            // A team of one has lost nobody.
#pragma omp task detach(event) shared(x) depend(out : x)
            x = 1;
#pragma omp task shared(x) depend(inout : x)
            x++;
            CHECK_EQ(x, 1);
            if (fork_beside_others())
                outlive();
            omp_fulfill_event(event);
#pragma omp taskwait
            CHECK_EQ(x, 2);
        }
    }
#pragma omp taskwait
    CHECK_EQ(x, 2);
}

// Of the team that had tasks nobody is left, and its places and tasks are free for others.
static void *use_root(void *unused)
{
    (void)unused;
    for (int round = 0; round < 3; round++) {
        int sum = 0, x = 0;
#pragma omp task depend(inout : location) shared(x)
        x++;
#pragma omp taskwait
#pragma omp parallel reduction(+ : sum)
        {
#pragma omp masked
            for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout : location) shared(x)
                x++;
            }
            int mine = 0;
#pragma omp taskgroup
            {
#pragma omp task shared(mine)
                mine++;
            }
            sum += mine;
        }
        CHECK_EQ(x, 51);
        CHECK_EQ(sum, omp_get_max_threads());
    }
    return NULL;
}

static void *fork_as_root(void *unused)
{
    if (!fork_beside_others())
        return NULL;
    pthread_t thread;
    use_root(unused);
    pthread_create(&thread, NULL, use_root, NULL);
    pthread_join(thread, NULL);
    outlive();
    _exit(progress->failures);
}

// The fork is another native thread's.
static void in_no_task(void)
{
    pthread_t thread;
#pragma omp task depend(inout : location)
    stay();
#pragma omp task depend(inout : location)
    {
    }
    occupy_others();
    pthread_create(&thread, NULL, fork_as_root, NULL);
    pthread_join(thread, NULL);
}

// The last is `reducing_region`.
static void (*const kinds[])(void) = {
    in_undeferred, in_final,        in_mutexinoutset,     in_detached,  in_untied,
    in_taskloop,   in_reduction,    in_own_taskgroup,     in_inner_region,
    in_inner_team_of_one, in_no_task, NULL,
};

// The taskgroups of all threads share the copies; that of the thread which is left is the last.
static void reducing_region(void)
{
    int sum = 0;
    // The others end their taskgroups, or are about to, and need not run tasks.
    staying = omp_get_max_threads();
#pragma omp parallel reduction(task, + : sum)
#pragma omp masked
    {
#pragma omp task in_reduction(+ : sum)
        {
            sum += 5;
            if (fork_beside_others())
                outlive();
            sum += 2;
        }
#pragma omp taskwait
    }
    CHECK_EQ(sum, 7);
}

static void region(void (*kind)(void))
{
    if (kind) {
#pragma omp parallel
#pragma omp masked
        kind();
    } else {
        reducing_region();
    }
    if (!in_child())
        return;
    int tasks = 0;
#pragma omp parallel num_threads(3)
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
        {
#pragma omp atomic
            tasks++;
        }
    }
    CHECK_EQ(tasks, 30);
    outlive();
    _exit(progress->failures);
}

int main(void)
{
    program = getpid();
    omp_set_max_active_levels(2);
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        memset(progress, 0, sizeof *progress);
        staying = has_forked = 0;
        region(kinds[i]);
        CHECK_EQ(progress->failures, 0);
        // A worker that is left ends with the region.
        CHECK_EQ(progress->outlived, kinds[i] == in_no_task || forked_by_worker ? 1 : 2);
        if (check_result()) {
            fprintf(stderr, "kind %u\n", i);
            break;
        }
    }
    return check_result();
}
