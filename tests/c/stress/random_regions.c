// Random regions: nesting, loops, criticals, barriers, singles, locks and reductions in an order
// that follows from a seed, with answers that are known. Arguments: the number of regions, the seed
// if it is not in the environment.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:SEED=1|2
//#Args:2500
//#Env:OMP_MAX_ACTIVE_LEVELS=3
//#Timeout:240
//#NoStderr
#include "check.h"
#include "draw.h"
#include <omp.h>
#include <stdlib.h>

enum { MAX_THREADS = 16, MAX_LEVEL = 3, PHASES = 12 };

static long sum_below(long n)
{
    return n * (n - 1) / 2;
}

// What the threads of a team have done, and what they should have done.
struct team {
    long counted, excluded, locked, singles, arrived[PHASES];
    long wanted_count, wanted_excluded, wanted_locked, wanted_singles;
    omp_lock_t lock;
};

static long regions_left;

static void region(unsigned long seed, int level);

// Loops over n iterations that add up their numbers.
static void loop(struct team *team, unsigned long *state, int n)
{
    int chunk = 1 + below(state, 9);
    long mine = 0;
    switch (below(state, 7)) {
    case 0:
#pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++)
            mine += i;
        break;
    case 1:
#pragma omp for schedule(static, chunk)
        for (unsigned long i = 0; i < (unsigned long)n; i++)
            mine += i;
        break;
    case 2:
#pragma omp for schedule(dynamic, chunk) nowait
        for (long i = n; i > 0; i--)
            mine += i - 1;
        break;
    case 3:
#pragma omp for schedule(dynamic)
        for (unsigned i = 0; i < (unsigned)n; i++)
            mine += i;
        break;
    case 4:
#pragma omp for schedule(guided, chunk) nowait
        for (unsigned long i = 0; i < (unsigned long)n; i++)
            mine += i;
        break;
    case 5:
#pragma omp for schedule(guided)
        for (int i = n - 1; i >= 0; i--)
            mine += i;
        break;
    default:
#pragma omp for schedule(monotonic : dynamic, chunk) nowait
        for (long i = 0; i < n; i++)
            mine += i;
    }
#pragma omp atomic
    team->counted += mine;
}

// One thread's way through a region: as many constructs as the seed says. Each thread draws from a
// copy of the state, so all of them meet the same constructs.
static void walk(struct team *team, unsigned long state, int level)
{
    int size = omp_get_num_threads(), me = omp_get_thread_num(), phases = 0;
    int length = 1 + below(&state, PHASES);
    CHECK_EQ(omp_get_level(), level);
    for (int step = 0; step < length; step++) {
        unsigned long inner = draw(&state);
        int n = below(&state, 150), arrived;
        switch (below(&state, 8)) {
        case 0:
        case 1:
            loop(team, &state, n);
            if (me == 0)
                team->wanted_count += sum_below(n);
            break;
        case 2:
#pragma omp critical(stress)
            team->excluded++;
            if (me == 0)
                team->wanted_excluded += size;
            break;
        case 3:
            omp_set_lock(&team->lock);
            team->locked++;
            omp_unset_lock(&team->lock);
            if (me == 0)
                team->wanted_locked += size;
            break;
        case 4:
#pragma omp single
            {
                // The block of a single with nowait before may still run.
#pragma omp atomic
                team->singles++;
            }
            if (me == 0)
                team->wanted_singles++;
            break;
        case 5:
#pragma omp single nowait
            {
#pragma omp atomic
                team->singles++;
            }
            if (me == 0)
                team->wanted_singles++;
            break;
        case 6:
#pragma omp atomic
            team->arrived[phases]++;
#pragma omp barrier
#pragma omp atomic read
            arrived = team->arrived[phases];
            CHECK_EQ(arrived, size);
            phases++;
            break;
        default:
            if (level < MAX_LEVEL && me == n % size)
                region(inner, level + 1);
        }
    }
}

static void region(unsigned long seed, int level)
{
    unsigned long state = seed;
    struct team team = {0};
    long left, numbers = 0;
    int largest = -1, requested = 1 + below(&state, level == 1 ? MAX_THREADS : 4), size = 0;
    int serial = below(&state, 10) == 0;
#pragma omp atomic capture
    left = regions_left--;
    if (left <= 0)
        return;
    omp_init_lock(&team.lock);
    if (below(&state, 3)) {
#pragma omp parallel num_threads(requested) if (!serial) reduction(+ : numbers) reduction(max : largest)
        {
            int me = omp_get_thread_num();
            numbers += me + 1;
            largest = me > largest ? me : largest;
            if (me == 0)
                size = omp_get_num_threads();
            walk(&team, state, level);
        }
        CHECK_EQ(numbers, sum_below(size + 1));
        CHECK_EQ(largest, size - 1);
    } else {
        int n = 1 + below(&state, 300);
#pragma omp parallel for num_threads(requested) schedule(dynamic, 3) reduction(+ : numbers)
        for (int i = 0; i < n; i++)
            numbers += i;
        CHECK_EQ(numbers, sum_below(n));
    }
    omp_destroy_lock(&team.lock);
    CHECK_EQ(team.counted, team.wanted_count);
    CHECK_EQ(team.excluded, team.wanted_excluded);
    CHECK_EQ(team.locked, team.wanted_locked);
    CHECK_EQ(team.singles, team.wanted_singles);
}

int main(int argc, char **argv)
{
    const char *seed = argc > 2 ? argv[2] : getenv("SEED");
    unsigned long state = seed ? strtoul(seed, NULL, 0) : 1;
    long total = argc > 1 ? atol(argv[1]) : 1000;
    regions_left = total;
    omp_set_dynamic(0);
    while (__atomic_load_n(&regions_left, __ATOMIC_RELAXED) > 0)
        region(draw(&state), 1);
    return check_result();
}
