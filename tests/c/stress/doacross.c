// Random doacross loops: one to three loops in a nest, any schedule, some shared out together, with
// nowait or not, other loops between them, in teams of up to sixteen, nested or not. Each iteration
// checks that those before it in its chain are over, and the answers are known. The argument is the
// number of regions.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Vary:SEED=1|2
//#Args:400
//#NotRecorded:more events than the recorder keeps
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Timeout:240
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { MAX_THREADS = 16, LOOPS = 24, EDGE = 14, CELLS = EDGE * EDGE * EDGE };

// A reproducible sequence (splitmix64). Each thread of a team draws from a copy of its own, so all
// of them meet the same constructs.
static unsigned long draw(unsigned long *state)
{
    unsigned long z = *state += 0x9e3779b97f4a7c15ul;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
    return z ^ (z >> 31);
}

static int below(unsigned long *state, int bound)
{
    return (int)(draw(state) % (unsigned long)bound);
}

static long mixed(long a, long b, long c)
{
    return (a * 3 + b * 5 + c * 7 + 1) % 1000003;
}

// The values of one loop nest, each written once: 0 before.
typedef struct {
    long cell[CELLS];
    int other;
} Values;

#define CLAUSE(text) _Pragma(text)
#define NO_CLAUSE(text)

#define BODY_1(ORDERED)                                                                            \
    for (int i = 0; i < n; i++) {                                                                  \
        ORDERED("omp ordered depend(sink : i - 1) depend(sink : i - 3)")                           \
        v->cell[i] = mixed(i > 0 ? v->cell[i - 1] : 1, i > 2 ? v->cell[i - 3] : 2, i);             \
        ORDERED("omp ordered depend(source)")                                                      \
    }

#define BODY_2(ORDERED)                                                                            \
    for (int i = 0; i < n; i++)                                                                    \
        for (int j = m; j > 0; j--) {                                                              \
            ORDERED("omp ordered depend(sink : i - 1, j) depend(sink : i - 1, j - 1)")             \
            ORDERED("omp ordered depend(sink : i, j + 1)")                                         \
            v->cell[i * EDGE + j - 1] = mixed(i > 0 ? v->cell[(i - 1) * EDGE + j - 1] : 1,         \
                                              i > 0 && j > 1 ? v->cell[(i - 1) * EDGE + j - 2] : 2, \
                                              j < m ? v->cell[i * EDGE + j] : 3);                  \
            ORDERED("omp ordered depend(source)")                                                  \
        }

#define BODY_3(ORDERED)                                                                            \
    for (int i = 0; i < n; i++)                                                                    \
        for (int j = 0; j < m; j++)                                                                \
            for (int k = 0; k < l; k++) {                                                          \
                ORDERED("omp ordered depend(sink : i - 1, j + 1, k) depend(sink : i, j - 1, k)")   \
                ORDERED("omp ordered depend(sink : i, j, k - 1)")                                  \
                long *at = &v->cell[(i * EDGE + j) * EDGE + k];                                    \
                *at = mixed(i > 0 && j + 1 < m ? at[EDGE - EDGE * EDGE] : 1,                       \
                            j > 0 ? at[-EDGE] : 2, k > 0 ? at[-1] : 3);                            \
                ORDERED("omp ordered depend(source)")                                              \
            }

#define LOOP(clauses, body) _Pragma(clauses) body(CLAUSE) break;

// The loop nest that the number stands for, as the threads of the team execute it.
static void parallel_loop(int kind, Values *v, int n, int m, int l)
{
    switch (kind) {
    case 0: LOOP("omp for ordered(1) schedule(runtime) nowait", BODY_1)
    case 1: LOOP("omp for ordered(1) schedule(static) nowait", BODY_1)
    case 2: LOOP("omp for ordered(1) schedule(static, 1)", BODY_1)
    case 3: LOOP("omp for ordered(2) schedule(runtime) nowait", BODY_2)
    case 4: LOOP("omp for ordered(2) schedule(static, 1) nowait", BODY_2)
    case 5: LOOP("omp for ordered(2) collapse(2) schedule(runtime) nowait", BODY_2)
    case 6: LOOP("omp for ordered(3) schedule(runtime)", BODY_3)
    case 7: LOOP("omp for ordered(3) collapse(2) schedule(runtime) nowait", BODY_3)
    case 8: LOOP("omp for ordered(3) collapse(3) schedule(static, 2) nowait", BODY_3)
    default:
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            v->other++;
        }
    }
}

static void lone_loop(int kind, Values *v, int n, int m, int l)
{
    if (kind < 3) {
        BODY_1(NO_CLAUSE)
    } else if (kind < 6) {
        BODY_2(NO_CLAUSE)
    } else if (kind < 9) {
        BODY_3(NO_CLAUSE)
    } else {
        v->other += n;
    }
}

// The loops of a region, with the function that executes each.
static void loops(unsigned long state, Values *values, void (*loop)(int, Values *, int, int, int))
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (int number = 0; number < LOOPS; number++) {
        omp_set_schedule(kinds[below(&state, 4)], below(&state, 4));
        int kind = below(&state, 10), n = below(&state, EDGE + 1), m = below(&state, EDGE + 1);
        loop(kind, &values[number], n, m, 1 + below(&state, EDGE));
    }
}

int main(int argc, char **argv)
{
    int regions = argc > 1 ? atoi(argv[1]) : 50;
    const char *seed = getenv("SEED");
    unsigned long state = seed ? strtoul(seed, NULL, 10) : 1;
    for (int region = 0; region < regions; region++) {
        int threads = 1 + below(&state, region % 8 == 0 ? MAX_THREADS : 4);
        int teams = below(&state, 4) == 0 ? 2 : 1;
        unsigned long start = draw(&state);
#pragma omp parallel num_threads(teams)
        {
            Values *found = calloc(LOOPS, sizeof *found), *wanted = calloc(LOOPS, sizeof *wanted);
#pragma omp parallel num_threads(threads)
            loops(start, found, parallel_loop);
            loops(start, wanted, lone_loop);
            for (int number = 0; number < LOOPS; number++) {
                CHECK_EQ(found[number].other, wanted[number].other);
                for (int cell = 0; cell < CELLS; cell++)
                    CHECK_EQ(found[number].cell[cell], wanted[number].cell[cell]);
            }
            free(found);
            free(wanted);
        }
    }
    return check_result();
}
