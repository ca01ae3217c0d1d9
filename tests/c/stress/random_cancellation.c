// Regions, loops, sections, taskgroups and taskloops that a thread or a task cancels at a random
// point, also within regions that are not cancelled. Checked is what holds wherever the
// cancellation takes effect: nothing runs twice, nothing runs in the cancelling task after the
// cancellation, without one everything runs, and what surrounds the construct goes on. Arguments:
// the number of constructs, the first seed; a failure names the seed of the construct.
//#Env:OMP_CANCELLATION=true
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Vary:OMP_WAIT_POLICY=active|passive
//#Args:600
//#Flags[clang]:-Wno-sign-compare
//#Timeout:120
//#ReferenceFails[clang]:libomp waits for ever, or ends with an assertion of its own
//#NoStderr
#include "check.h"
#include "draw.h"
#include <omp.h>
#include <stdlib.h>

enum { MOST = 160, MAX_THREADS = 8, STEPS = 10, CELLS = 4 };

// What has happened to the iterations, sections or tasks of a construct, and how often code was
// reached behind a cancellation.
struct parts {
    int began[MOST], ended[MOST], asked, behind, others;
};

static void count(int *what)
{
#pragma omp atomic
    (*what)++;
}

static void work(int amount)
{
    for (volatile int i = 0; i < amount; i++)
        ;
}

// `at` is the part that cancels; it has begun unless another one (`also`) cancelled before.
static void check_parts(const struct parts *parts, int n, int at, int also)
{
    CHECK_EQ(parts->behind, 0);
    for (int i = 0; i < n; i++) {
        CHECK(parts->began[i] <= 1);
        CHECK(parts->ended[i] <= parts->began[i]);
        if (!parts->asked)
            CHECK_EQ(parts->ended[i], 1);
        if (i == at || i == also)
            CHECK_EQ(parts->ended[i], 0);
    }
    CHECK_EQ(parts->asked != 0, at < n || also < n);
}

// The body of a part of a construct of this kind, which `cancel` and `point` name.
#define PART(i, cancel, point)                                                                     \
    count(&parts.began[i]);                                                                        \
    work(amount);                                                                                  \
    if ((i) == at || (i) == also) {                                                                \
        count(&parts.asked);                                                                       \
        _Pragma(cancel) count(&parts.behind);                                                      \
    }                                                                                              \
    if ((i) % 3 == rest) {                                                                         \
        _Pragma(point)                                                                             \
    }                                                                                              \
    count(&parts.ended[i]);

#define ITERATION(i) PART(i, "omp cancel for", "omp cancellation point for")

static void loop(unsigned long *state)
{
    struct parts parts = {0};
    int threads = 1 + below(state, MAX_THREADS), n = below(state, MOST), chunk = 1 + below(state, 5);
    int at = below(state, 2 * n + 2), also = below(state, 5 * n + 5), rest = below(state, 6);
    int kind = below(state, 7), amount = below(state, 400), after = 0, size = 0;
#pragma omp parallel num_threads(threads)
    {
        switch (kind) {
        case 0:
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) {
                ITERATION(i)
            }
            break;
        case 1:
#pragma omp for schedule(static, chunk)
            for (long i = n - 1; i >= 0; i--) {
                ITERATION(i)
            }
            break;
        case 2:
#pragma omp for schedule(dynamic)
            for (int i = 0; i < n; i++) {
                ITERATION(i)
            }
            break;
        case 3:
#pragma omp for schedule(dynamic, chunk)
            for (unsigned long wide = 0; wide < (unsigned long)n; wide++) {
                int i = (int)wide;
                ITERATION(i)
            }
            break;
        case 4:
#pragma omp for schedule(guided, chunk)
            for (int i = 0; i < n; i++) {
                ITERATION(i)
            }
            break;
        case 5:
#pragma omp for schedule(monotonic : dynamic, chunk)
            for (int i = 0; i < n; i++) {
                ITERATION(i)
            }
            break;
        default:
#pragma omp for schedule(runtime)
            for (int i = 0; i < n; i++) {
                ITERATION(i)
            }
        }
        count(&after);
#pragma omp barrier
#pragma omp single
        size = omp_get_num_threads();
        CHECK_EQ(after, size);
    }
    check_parts(&parts, n, at, also);
}

#define SECTION(i) PART(i, "omp cancel sections", "omp cancellation point sections")

static void sections(unsigned long *state)
{
    enum { N = 6 };
    struct parts parts = {0};
    int threads = 1 + below(state, MAX_THREADS), amount = below(state, 1000), after = 0;
    int at = below(state, 2 * N), also = below(state, 4 * N), rest = below(state, 6);
#pragma omp parallel num_threads(threads)
    {
#pragma omp sections
        {
#pragma omp section
            {
                SECTION(0)
            }
#pragma omp section
            {
                SECTION(1)
            }
#pragma omp section
            {
                SECTION(2)
            }
#pragma omp section
            {
                SECTION(3)
            }
#pragma omp section
            {
                SECTION(4)
            }
#pragma omp section
            {
                SECTION(5)
            }
        }
        count(&after);
#pragma omp barrier
        CHECK_EQ(after, omp_get_num_threads());
    }
    check_parts(&parts, N, at, also);
}

#define TASK(i) PART(i, "omp cancel taskgroup", "omp cancellation point taskgroup")

// Tasks, some with dependences, some with children and some undeferred. The tasks before and
// after the group are not cancelled.
static void taskgroup(unsigned long *state)
{
    struct parts parts = {0};
    int threads = 1 + below(state, MAX_THREADS), n = below(state, MOST / 2), around = below(state, 9);
    int at = below(state, 2 * n + 2), also = below(state, 5 * n + 5), rest = below(state, 6);
    int amount = below(state, 400), before = 0, after = 0, running = 0, last[CELLS];
    unsigned long choices = draw(state);
    for (int i = 0; i < CELLS; i++)
        last[i] = -1;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int i = 0; i < around; i++) {
#pragma omp task shared(before)
            count(&before);
        }
#pragma omp taskgroup
        for (int i = 0; i < n; i++) {
            int cell = below(&choices, 3 * CELLS), undeferred = below(&choices, 12) == 0;
            int children = below(&choices, 8) == 0 ? below(&choices, 5) : 0;
            if (cell < CELLS) {
#pragma omp task shared(parts, last, running) depend(inout : last[cell]) if (!undeferred)
                {
                    CHECK(last[cell] < i);
                    last[cell] = i;
                    TASK(i)
                }
            } else {
#pragma omp task shared(parts, running) if (!undeferred)
                {
                    for (int child = 0; child < children; child++) {
#pragma omp task shared(parts, running)
                        {
                            count(&running);
                            work(amount);
                            count(&parts.others);
#pragma omp atomic
                            running--;
                        }
                    }
                    TASK(i)
                }
            }
        }
        // All tasks of the group have ended or never began.
        int now;
#pragma omp atomic read
        now = running;
        CHECK_EQ(now, 0);
        for (int i = 0; i < around; i++) {
#pragma omp task shared(after)
            count(&after);
        }
#pragma omp taskwait
        CHECK_EQ(before, around);
        CHECK_EQ(after, around);
    }
    check_parts(&parts, n, at, also);
}

static void taskloop(unsigned long *state)
{
    struct parts parts = {0};
    int threads = 1 + below(state, MAX_THREADS), n = below(state, MOST), grain = 1 + below(state, 9);
    int at = below(state, 2 * n + 2), also = below(state, 5 * n + 5), rest = below(state, 6);
    int amount = below(state, 400), left = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskloop shared(parts) grainsize(grain)
        for (int i = 0; i < n; i++) {
            TASK(i)
        }
        left = 1;
    }
    CHECK_EQ(left, 1);
    check_parts(&parts, n, at, also);
}

// The threads of a region go through the same constructs until one of them cancels.
static void region(unsigned long *state)
{
    int threads = 1 + below(state, MAX_THREADS), length = 1 + below(state, STEPS), size = 0;
    int arrived[STEPS] = {0}, iterations[STEPS] = {0}, wanted[STEPS] = {0}, singles[STEPS] = {0};
    int asked = 0, behind = 0, finished = 0, amount = below(state, 400);
    unsigned long common = draw(state);
#pragma omp parallel num_threads(threads)
    {
        unsigned long mine = common;
        int me = omp_get_thread_num();
        if (me == 0)
            size = omp_get_num_threads();
        for (int step = 0; step < length; step++) {
            int kind = below(&mine, 8), n = below(&mine, 40), who = below(&mine, 2 * MAX_THREADS);
            work(amount * (me + 1));
            if (kind == 0) {
                count(&arrived[step]);
#pragma omp barrier
                // Whoever goes on has met all.
                int met;
#pragma omp atomic read
                met = arrived[step];
                CHECK_EQ(met, omp_get_num_threads());
            } else if (kind == 1) {
                if (me == 0)
                    wanted[step] = n;
#pragma omp for schedule(dynamic)
                for (int i = 0; i < n; i++)
                    count(&iterations[step]);
            } else if (kind == 2) {
                if (me == 0)
                    wanted[step] = n;
#pragma omp for schedule(static)
                for (int i = 0; i < n; i++)
                    count(&iterations[step]);
            } else if (kind == 3) {
#pragma omp single
                count(&singles[step]);
            } else if (kind == 4) {
#pragma omp cancellation point parallel
            } else if (kind == 5) {
#pragma omp critical(step)
                count(&arrived[step]);
            } else if (who == me) {
                count(&asked);
#pragma omp cancel parallel
                count(&behind);
            } else if (who == 2 * MAX_THREADS - 1) {
#pragma omp cancel parallel if (behind)
            }
        }
        count(&finished);
    }
    CHECK_EQ(behind, 0);
    CHECK(asked ? finished < size : finished == size);
    for (int step = 0; step < length; step++) {
        CHECK(arrived[step] <= size);
        CHECK(singles[step] <= 1);
        CHECK(iterations[step] <= (asked ? 40 : wanted[step]));
        if (!asked)
            CHECK_EQ(iterations[step], wanted[step]);
    }
}

static void construct(unsigned long seed, int level);

// Each thread of a region cancels something of its own; the region itself goes on.
static void inside(unsigned long *state, int level)
{
    int threads = 1 + below(state, 3), met = 0, met_again = 0;
    unsigned long common = draw(state);
#pragma omp parallel num_threads(threads)
    {
        count(&met);
        construct(common + (unsigned long)omp_get_thread_num(), level + 1);
#pragma omp barrier
        CHECK_EQ(met, omp_get_num_threads());
        construct(common - (unsigned long)omp_get_thread_num(), level + 1);
        count(&met_again);
    }
    CHECK_EQ(met_again, met);
}

static void construct(unsigned long seed, int level)
{
    unsigned long state = seed;
    int before;
#pragma omp atomic read
    before = check_failures;
    switch (below(&state, level == 1 ? 6 : 5)) {
    case 0:
        loop(&state);
        break;
    case 1:
        sections(&state);
        break;
    case 2:
        taskgroup(&state);
        break;
    case 3:
        taskloop(&state);
        break;
    case 4:
        region(&state);
        break;
    default:
        inside(&state, level);
    }
    if (level == 1 && check_failures != before)
        fprintf(stderr, "the construct of seed %lu is wrong\n", seed);
}

int main(int arguments, char **argument)
{
    int constructs = arguments > 1 ? atoi(argument[1]) : 600;
    unsigned long seed = arguments > 2 ? strtoul(argument[2], NULL, 0) : 1;
    CHECK(omp_get_cancellation());
    omp_set_dynamic(0);
    for (int i = 0; i < constructs; i++)
        construct(seed + (unsigned long)i, 1);
    return check_result();
}
