// A hierarchy of villages whose patients are sent up (tasks over a tree with locks and their own
// random numbers), alignments of all pairs of sequences (tasks from a loop), and waves over a grid
// (dependences on neighbours): the same answer with any number of threads.
//#Threads:1,2,4,8
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BRANCHES = 4, STEPS = 40 };

struct village {
    unsigned seed;
    int waiting, treated, sent;
    omp_lock_t lock;
    struct village *above, *below[BRANCHES];
};

static struct village *found(int level, unsigned seed, struct village *above)
{
    struct village *here = calloc(1, sizeof *here);
    here->seed = seed;
    here->above = above;
    omp_init_lock(&here->lock);
    for (int i = 0; level > 0 && i < BRANCHES; i++)
        here->below[i] = found(level - 1, seed * 31 + i + 1, here);
    return here;
}

static unsigned draw(struct village *here)
{
    here->seed = here->seed * 1103515245 + 12345;
    return here->seed >> 16;
}

static void step(struct village *here)
{
    for (int i = 0; i < BRANCHES; i++)
        if (here->below[i]) {
#pragma omp task untied firstprivate(i)
            step(here->below[i]);
        }
    // What comes from below comes at any time: it is counted, and treated in the next step.
    int falls_ill = draw(here) % 3;
    for (int i = 0; i < falls_ill; i++) {
        if (draw(here) % 4 == 0 && here->above) {
            omp_set_lock(&here->above->lock);
            here->above->waiting++;
            omp_unset_lock(&here->above->lock);
            here->sent++;
        } else {
            here->treated++;
        }
    }
#pragma omp taskwait
    omp_set_lock(&here->lock);
    here->treated += here->waiting;
    here->waiting = 0;
    omp_unset_lock(&here->lock);
}

static void leave(struct village *here, long *treated, long *sent)
{
    *treated += here->treated;
    *sent += here->sent;
    for (int i = 0; i < BRANCHES; i++)
        if (here->below[i])
            leave(here->below[i], treated, sent);
    omp_destroy_lock(&here->lock);
    free(here);
}

enum { SEQUENCES = 24, LETTERS = 60 };

static char sequences[SEQUENCES][LETTERS];

// Cost of the cheapest edit from one to the other.
static int align(const char *a, const char *b)
{
    int row[LETTERS + 1];
    for (int j = 0; j <= LETTERS; j++)
        row[j] = 2 * j;
    for (int i = 0; i < LETTERS; i++) {
        int corner = row[0];
        row[0] = 2 * i + 2;
        for (int j = 0; j < LETTERS; j++) {
            int same = corner + 3 * (a[i] != b[j]);
            int gap = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 2;
            corner = row[j + 1];
            row[j + 1] = same < gap ? same : gap;
        }
    }
    return row[LETTERS];
}

enum { GRID = 40 };

int main(void)
{
    long treated[2] = {0}, sent[2] = {0};
    for (int run = 0; run < 2; run++) {
        struct village *top = found(3, 42, NULL);
#pragma omp parallel num_threads(run == 0 ? 1 : omp_get_max_threads())
#pragma omp single
        for (int i = 0; i < STEPS; i++) {
#pragma omp task
            step(top);
#pragma omp taskwait
        }
        leave(top, &treated[run], &sent[run]);
    }
    CHECK(sent[0] > 0);
    CHECK_EQ(sent[1], sent[0]);
    CHECK_EQ(treated[1], treated[0]);

    unsigned seed = 5;
    for (int i = 0; i < SEQUENCES; i++)
        for (int j = 0; j < LETTERS; j++) {
            seed = seed * 1103515245 + 12345;
            sequences[i][j] = "ACGT"[seed >> 16 & 3];
        }
    static int costs[SEQUENCES][SEQUENCES];
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < SEQUENCES; i++)
            for (int j = i + 1; j < SEQUENCES; j++) {
#pragma omp task untied firstprivate(i, j)
                costs[i][j] = align(sequences[i], sequences[j]);
            }
    }
    for (int i = 0; i < SEQUENCES; i++)
        for (int j = i + 1; j < SEQUENCES; j++)
            CHECK_EQ(costs[i][j], align(sequences[i], sequences[j]));

    // Ways through a grid.
    static unsigned ways[GRID + 1][GRID + 1], plain[GRID + 1][GRID + 1];
    for (int i = 0; i <= GRID; i++)
        ways[i][0] = ways[0][i] = plain[i][0] = plain[0][i] = 1;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= GRID; i++)
        for (int j = 1; j <= GRID; j++) {
#pragma omp task depend(in : ways[i - 1][j], ways[i][j - 1]) depend(out : ways[i][j])              \
    firstprivate(i, j)
            ways[i][j] = ways[i - 1][j] + ways[i][j - 1];
        }
    for (int i = 1; i <= GRID; i++)
        for (int j = 1; j <= GRID; j++) {
            plain[i][j] = plain[i - 1][j] + plain[i][j - 1];
            CHECK_EQ(ways[i][j], plain[i][j]);
        }
    return check_result();
}
