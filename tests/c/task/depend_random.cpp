// Random dependence graphs: what every task reads is what a sequential execution would have read,
// and tasks that exclude each other never meet.
//#Vary:OMP_NUM_THREADS=1|2|3|5|8|32
//#Args:400
//#Timeout:60
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <cstdlib>
#include <omp.h>
#include <vector>

enum Kind { IN, OUT, INOUT, MUTEX, KINDS };
enum { LOCATIONS = 8 };

struct Step {
    int count;
    int location[3];
    Kind kind[3];
    bool undeferred, wait, group;
};

static unsigned long seed;

static unsigned draw(unsigned below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return unsigned(seed >> 20) % below;
}

static unsigned mix(unsigned a, unsigned b)
{
    return (a ^ b) * 2654435761u + 12345;
}

// Readers compare, writers mix in, members of a set add what does not depend on their order.
static void act(const Step &step, int number, unsigned *at, std::vector<unsigned> &seen,
                int *inside)
{
    unsigned sum = 0;
    for (int i = 0; i < step.count; i++) {
        unsigned &cell = at[step.location[i]];
        if (step.kind[i] == MUTEX) {
            if (inside)
                CHECK_EQ(__atomic_fetch_add(&inside[step.location[i]], 1, __ATOMIC_ACQ_REL), 0);
            cell += mix(number, 7);
            if (inside)
                CHECK_EQ(__atomic_fetch_sub(&inside[step.location[i]], 1, __ATOMIC_ACQ_REL), 1);
        } else {
            if (step.kind[i] != OUT)
                sum = mix(sum, cell);
            if (step.kind[i] != IN)
                cell = mix(number, step.kind[i] == INOUT ? cell : 1);
        }
    }
    seen[number] = sum;
}

static void spawn(const Step &step, int number, unsigned *at, std::vector<unsigned> &seen,
                  int *inside)
{
    // The clauses of a construct are fixed: a kind that is not wanted has a location of its own.
    static char nowhere[3 * KINDS][64];
    unsigned *where[KINDS][3];
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 3; i++)
            where[kind][i] = reinterpret_cast<unsigned *>(nowhere[3 * kind + i]);
    for (int i = 0; i < step.count; i++)
        where[step.kind[i]][i] = &at[step.location[i]];
    bool defers = !step.undeferred;
    unsigned *i0 = where[IN][0], *i1 = where[IN][1], *i2 = where[IN][2];
    unsigned *b0 = where[INOUT][0], *b1 = where[INOUT][1], *b2 = where[INOUT][2];
    unsigned *m0 = where[MUTEX][0], *m1 = where[MUTEX][1], *m2 = where[MUTEX][2];
    unsigned *o0 = where[OUT][0], *o1 = where[OUT][1], *o2 = where[OUT][2];
    // Unused ones would tie all tasks together: they are read only, but for what is wanted.
    bool writes = false, excludes = false, puts = false;
    for (int i = 0; i < step.count; i++) {
        writes |= step.kind[i] == INOUT;
        excludes |= step.kind[i] == MUTEX;
        puts |= step.kind[i] == OUT;
    }
    static thread_local unsigned own[9];
    auto pick = [&](unsigned *chosen, int index) {
        bool real = chosen >= at && chosen < at + LOCATIONS;
        return real ? chosen : &own[index];
    };
    b0 = pick(b0, 0), b1 = pick(b1, 1), b2 = pick(b2, 2);
    m0 = pick(m0, 3), m1 = pick(m1, 4), m2 = pick(m2, 5);
    o0 = pick(o0, 6), o1 = pick(o1, 7), o2 = pick(o2, 8);
    if (!writes && !excludes && !puts) {
#pragma omp task depend(in : *i0, *i1, *i2) if (defers) shared(step, seen)
        act(step, number, at, seen, inside);
    } else if (!excludes && !puts) {
#pragma omp task depend(in : *i0, *i1, *i2) depend(inout : *b0, *b1, *b2) if (defers)              \
    shared(step, seen)
        act(step, number, at, seen, inside);
    } else if (!excludes) {
#pragma omp task depend(in : *i0, *i1, *i2) depend(inout : *b0, *b1, *b2)                          \
    depend(out : *o0, *o1, *o2) if (defers) shared(step, seen)
        act(step, number, at, seen, inside);
    } else if (!writes && !puts && step.count == 1) {
#pragma omp task depend(mutexinoutset : *m0) if (defers) shared(step, seen)
        act(step, number, at, seen, inside);
    } else {
#pragma omp task depend(in : *i0, *i1, *i2) depend(inout : *b0, *b1, *b2)                          \
    depend(out : *o0, *o1, *o2) depend(mutexinoutset : *m0, *m1, *m2) if (defers)                  \
    shared(step, seen)
        act(step, number, at, seen, inside);
    }
}

static void graph(int which)
{
    seed = 88172645463325252ull + 1000003ull * which;
    for (int i = 0; i < 10; i++)
        draw(2);
    int tasks = 1 + draw(60), locations = 1 + draw(LOCATIONS);
    std::vector<Step> steps(tasks);
    for (Step &step : steps) {
        step.count = 1 + draw(3);
        if (step.count > locations)
            step.count = locations;
        for (int i = 0; i < step.count; i++) {
            bool again;
            do {
                step.location[i] = draw(locations);
                again = false;
                for (int j = 0; j < i; j++)
                    again |= step.location[j] == step.location[i];
            } while (again);
            step.kind[i] = Kind(draw(KINDS));
        }
        step.undeferred = draw(12) == 0;
        step.wait = draw(25) == 0;
        step.group = draw(25) == 0;
    }
    unsigned wanted[LOCATIONS] = {0}, found[LOCATIONS] = {0};
    int inside[LOCATIONS] = {0};
    std::vector<unsigned> wanted_seen(tasks), found_seen(tasks);
    for (int i = 0; i < tasks; i++)
        act(steps[i], i, wanted, wanted_seen, nullptr);
    // A group ends somewhere between; nested in the generating thread's code.
    for (int i = 0; i < tasks;) {
        int end = i + 1;
        if (steps[i].group) {
            while (end < tasks && !steps[end].group)
                end++;
#pragma omp taskgroup
            for (; i < end; i++)
                spawn(steps[i], i, found, found_seen, inside);
        }
        for (; i < end; i++)
            spawn(steps[i], i, found, found_seen, inside);
        if (i < tasks && steps[i].wait) {
#pragma omp taskwait
        }
    }
#pragma omp taskwait
    for (int i = 0; i < LOCATIONS; i++)
        CHECK_EQ(found[i], wanted[i]);
    for (int i = 0; i < tasks; i++) {
        if (found_seen[i] != wanted_seen[i])
            fprintf(stderr, "graph %d, task %d\n", which, i);
        CHECK_EQ(found_seen[i], wanted_seen[i]);
    }
}

int main(int, char **arguments)
{
    int graphs = atoi(arguments[1]);
    // One generating thread, then graphs in many tasks at once.
#pragma omp parallel
#pragma omp single
    for (int which = 0; which < graphs; which++)
        graph(which);
#pragma omp parallel
#pragma omp single
    for (int which = 0; which < graphs; which++) {
#pragma omp task firstprivate(which)
        graph(graphs + which);
    }
#pragma omp parallel for schedule(dynamic)
    for (int which = 0; which < graphs; which++)
        graph(2 * graphs + which);
    return check_result();
}
