// Waits of which a debugger tells who holds the thread up, one kind for each word of the command
// line: locks, an ordered and a doacross loop, a reduction, tasks. By itself the program goes through
// all of them and ends.
//#Vary:OMP_DEBUG=disabled|enabled
//#NotRecorded:it prints what differs from run to run
#include "ompd_facts.h"
#include <string.h>

static int started;

static void start(void)
{
    __atomic_fetch_add(&started, 1, __ATOMIC_RELEASE);
}

static void await_starts(int count)
{
    while (__atomic_load_n(&started, __ATOMIC_ACQUIRE) < count)
        usleep(1000);
}

// Thread 0 holds what the others wait for.
static void mutexes(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nest_lock;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            omp_set_nest_lock(&nest_lock);
#pragma omp critical
            {
                fact("holder", NULL, FRAME);
                start();
                wait_for_reader();
            }
            omp_unset_lock(&lock);
            omp_unset_nest_lock(&nest_lock);
        } else {
            await_starts(1);
            if (omp_get_thread_num() == 1) {
                fact("lock", &lock, FRAME);
                omp_set_lock(&lock);
                omp_unset_lock(&lock);
            } else if (omp_get_thread_num() == 2) {
                fact("nest_lock", &nest_lock, FRAME);
                omp_set_nest_lock(&nest_lock);
                omp_unset_nest_lock(&nest_lock);
            } else {
                fact("critical", NULL, FRAME);
#pragma omp critical
                CHECK_EQ(omp_get_num_threads(), 4);
            }
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
}

// Iteration 0 does not end.
static void ordered_loop(void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
    for (int i = 0; i < 3; i++) {
        fact(i == 0 ? "holder" : "ordered", NULL, FRAME);
#pragma omp ordered
        if (i == 0)
            wait_for_reader();
    }
}

static void doacross_loop(void)
{
    int row[2][4] = {{0}};
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) {
            if (j == 2)
                fact(i == 0 ? "holder" : "doacross", NULL, FRAME);
#pragma omp ordered depend(sink : i - 1, j)
            if (i == 0 && j == 2)
                wait_for_reader();
            row[i][j] = i == 0 ? j : row[i - 1][j] + 1;
#pragma omp ordered depend(source)
        }
    CHECK_EQ(row[1][3], 4);
}

// The first thread that combines its part does not come back.
static int combinations;

static void combine(int *into, const int *from)
{
    if (__atomic_fetch_add(&combinations, 1, __ATOMIC_ACQ_REL) == 0) {
        fact("holder", NULL, FRAME);
        start();
        wait_for_reader();
    }
    *into += *from;
}
#pragma omp declare reduction(slow : int : combine(&omp_out, &omp_in)) initializer(omp_priv = 0)

static void reduction(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(slow : sum)
    {
        sum = 1;
        if (omp_get_thread_num() == 1) {
            await_starts(1);
            fact("reduction", NULL, FRAME);
        }
    }
    CHECK_EQ(sum, 2);
}

// Six threads combine in a tree, if the compiler's code lets the runtime choose: 1 waits for 5, which
// does not come, 0 waits for 1, and 2 for 0.
static void tree(void)
{
    int sum = 0;
#pragma omp parallel num_threads(6) reduction(+ : sum)
    {
        sum = 1;
        if (omp_get_thread_num() == 5) {
            await_starts(3);
            fact("absent", NULL, FRAME);
            wait_for_reader();
        } else if (omp_get_thread_num() < 3) {
            static const char *const roles[] = {"top", "middle", "leaf"};
            fact(roles[omp_get_thread_num()], NULL, FRAME);
            start();
        }
    }
    CHECK_EQ(sum, 6);
}

// Thread 0 makes tasks: one whose event is not fulfilled, one that thread 1 executes, one that
// depends on that; and waits for them as `what` says. Thread 2 does not arrive at the barrier.
static void tasks(const char *what)
{
    omp_event_handle_t event = (omp_event_handle_t)0;
    int x = 0, done = 0;
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2) {
            await_starts(2);
            fact("absent", NULL, FRAME);
            wait_for_reader();
            omp_fulfill_event(event);
        } else if (omp_get_thread_num() == 1) {
            fact("helper", NULL, FRAME);
        } else {
#pragma omp taskgroup
            {
#pragma omp task detach(event)
                start();
                await_starts(1);
#pragma omp task depend(out : x)
                {
                    fact("executor", NULL, FRAME);
                    start();
                    wait_for_end();
                }
                await_starts(2);
#pragma omp task depend(in : x)
                __atomic_fetch_add(&done, 1 + x, __ATOMIC_RELAXED);
                if (strcmp(what, "ready") == 0) {
#pragma omp task
                    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
                }
                // The event's address, so that the debugger's can be compared.
                fact(what, (void *)(uintptr_t)event, FRAME);
                if (strcmp(what, "ready") == 0)
                    wait_for_end();
                if (strcmp(what, "taskwait") == 0) {
#pragma omp taskwait
                }
                if (strcmp(what, "dependences") == 0) {
#pragma omp task if (0) depend(in : x)
                    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
                }
            }
        }
    }
    CHECK_EQ(done, strcmp(what, "ready") == 0 || strcmp(what, "dependences") == 0 ? 2 : 1);
}

// Thread 0 has left the construct for the barrier at the end, with its tasks unfinished.
static void barrier(void)
{
    int x = 0;
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 2) {
            await_starts(1);
            fact("absent", NULL, FRAME);
            wait_for_reader();
        } else if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : x)
            {
                fact("executor", NULL, FRAME);
                start();
                wait_for_end();
            }
            await_starts(1);
#pragma omp task depend(in : x)
            CHECK_EQ(x, 0);
            fact("barrier", NULL, FRAME);
        }
#pragma omp barrier
        CHECK_EQ(omp_get_num_threads(), 3);
    }
}

// A task that a thread executes while its implicit task waits for it: one that waits for the event of
// its own child, or one that works on.
static void inner(const char *what)
{
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            await_starts(1);
            fact("absent", NULL, FRAME);
            wait_for_reader();
            if (strcmp(what, "inner") == 0)
                omp_fulfill_event(event);
        } else {
#pragma omp task
            {
#pragma omp task detach(event) if (strcmp(what, "inner") == 0)
                start();
                if (strcmp(what, "inner") != 0)
                    omp_fulfill_event(event);
                fact(what, NULL, FRAME);
                if (strcmp(what, "inner") != 0)
                    wait_for_end();
#pragma omp taskwait
            }
#pragma omp taskwait
        }
    }
}

static __attribute__((noinline)) void step(void)
{
#pragma omp barrier
    start();
}

// More threads than one group of the barrier has. The last one does not arrive.
static void crowd(void)
{
#pragma omp parallel num_threads(10)
    {
        if (omp_get_thread_num() == 9) {
            await_starts(1);
            fact("absent", NULL, FRAME);
            wait_for_reader();
        } else if (omp_get_thread_num() == 0) {
#pragma omp task
            {
                fact("executor", NULL, FRAME);
                start();
                wait_for_end();
            }
            await_starts(1);
            fact("crowd", NULL, FRAME);
        }
#pragma omp barrier
        CHECK_EQ(omp_get_num_threads(), 10);
    }
}

// Thread 0 meets one barrier more than the others, which are at the end of the region by then, and
// leave: a mistake of the program, of which it waits forever. So the program does this only if it is
// told to.
static void unequal(void)
{
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            step();
            fact("unequal", NULL, FRAME);
        }
    }
}

// The second team does not end.
static void league(void)
{
#pragma omp teams num_teams(2) thread_limit(1)
    {
        if (omp_get_team_num() == 0) {
            fact("teams", NULL, FRAME);
            start();
        } else {
            await_starts(1);
            fact("absent", NULL, FRAME);
            wait_for_reader();
        }
    }
}

static void run(const char *what)
{
    started = 0;
    if (strcmp(what, "mutexes") == 0)
        mutexes();
    else if (strcmp(what, "ordered") == 0)
        ordered_loop();
    else if (strcmp(what, "doacross") == 0)
        doacross_loop();
    else if (strcmp(what, "reduction") == 0)
        reduction();
    else if (strcmp(what, "tree") == 0)
        tree();
    else if (strcmp(what, "barrier") == 0)
        barrier();
    else if (strcmp(what, "inner") == 0 || strcmp(what, "working") == 0)
        inner(what);
    else if (strcmp(what, "crowd") == 0)
        crowd();
    else if (strcmp(what, "unequal") == 0)
        unequal();
    else if (strcmp(what, "league") == 0)
        league();
    else
        tasks(what);
}

int main(int argc, char **argv)
{
    const char *all[] = {"mutexes", "ordered",     "doacross",  "reduction",   "barrier",
                         "ready",   "taskwait",  "taskgroup", "dependences",
                         "inner",   "working",   "crowd",     "league",
                         "tree"};
    for (size_t i = 0; argc == 1 && i < sizeof all / sizeof *all; i++)
        run(all[i]);
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    return check_result();
}
