/* Worksharing constructs, each in a region that lasts. */

#include "bench.h"

/* Iterations of a loop for each thread, and the work of one. */
#define ITERATIONS 128
#define STEPS 8

static void iterations_of_each(long count)
{
    int rounds = (threads + processors - 1) / processors;
    for (long i = 0; i < count * ITERATIONS * rounds; i++)
        work_for(STEPS);
}

static void for_static(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(static)
        for (int iteration = 0; iteration < ITERATIONS * threads; iteration++)
            work_for(STEPS);
    }
}

static void for_nowait(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(static) nowait
        for (int iteration = 0; iteration < ITERATIONS * threads; iteration++)
            work_for(STEPS);
    }
}

static void for_dynamic_1(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(dynamic, 1)
        for (int iteration = 0; iteration < ITERATIONS * threads; iteration++)
            work_for(STEPS);
    }
}

/* The threads drift apart, as far as the runtime lets loops be in flight. */
static void for_dynamic_nowait(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(dynamic, 8) nowait
        for (int iteration = 0; iteration < ITERATIONS * threads; iteration++)
            work_for(STEPS);
    }
}

static void for_guided(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(guided)
        for (int iteration = 0; iteration < ITERATIONS * threads; iteration++)
            work_for(STEPS);
    }
}

static void for_reduction(long count)
{
    static long sum;
    sum = 0;
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(static) reduction(+ : sum)
        for (int iteration = 0; iteration < ITERATIONS * threads; iteration++) {
            work_for(STEPS);
            sum++;
        }
    }
    expect(sum == count * ITERATIONS * threads, "a loop's sum");
}

/* Every iteration waits for the turn of its ordered region. */
static void for_ordered(long count)
{
    long last = -1;
#pragma omp parallel for ordered schedule(static, 1)
    for (long i = 0; i < count; i++) {
#pragma omp ordered
        {
            work();
            last = last == i - 1 ? i : -2;
        }
    }
    expect(last == count - 1, "the order of ordered regions");
}

/* Iterations of one row of `doacross_rows`. */
#define ROW 64

static void doacross(long count)
{
    long executed = 0;
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (long i = 0; i < count; i++) {
#pragma omp ordered depend(sink : i - 1)
        work();
        executed++;
#pragma omp ordered depend(source)
    }
    expect(executed == count, "the number of iterations of a doacross loop");
}

static void doacross_rows(long count)
{
    static long above[ROW];
    long rows = count / ROW + 1;
    for (long j = 0; j < ROW; j++)
        above[j] = 0;
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < ROW; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            work();
            above[j]++;
#pragma omp ordered depend(source)
        }
    expect(above[ROW - 1] == rows, "the number of rows of a doacross loop nest");
}

static void sections(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp sections
        {
#pragma omp section
            work();
#pragma omp section
            work();
        }
    }
}

static void two_sections(long count)
{
    work_shared_out(2 * count);
}

static void single(long count)
{
    long executed = 0;
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp single
        {
            work();
            executed++;
        }
    }
    expect(executed == count, "the number of single regions");
}

static void single_nowait(long count)
{
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp single nowait
        work();
    }
}

const struct benchmark benchmarks[] = {
    {"for_static", "ns/loop", "a static loop of 128 iterations a thread, with its barrier",
     for_static, iterations_of_each},
    {"for_nowait", "ns/loop", "the static loop without its barrier", for_nowait,
     iterations_of_each},
    {"for_dynamic_1", "ns/loop", "a loop of 128 chunks a thread, one iteration each",
     for_dynamic_1, iterations_of_each},
    {"for_dynamic_nowait", "ns/loop", "loops of 16 chunks a thread, many in flight",
     for_dynamic_nowait, iterations_of_each},
    {"for_guided", "ns/loop", "a guided loop of 128 iterations a thread", for_guided,
     iterations_of_each},
    {"for_reduction", "ns/loop", "the static loop with a reduction of a long", for_reduction,
     iterations_of_each},
    {"for_ordered", "ns/iteration", "a loop whose iterations are all ordered", for_ordered,
     work_in_turn},
    {"doacross", "ns/iteration", "a doacross loop whose iterations wait for those before them",
     doacross, work_in_turn},
    {"doacross_rows", "ns/iteration", "a wavefront in rows of 64 iterations, a thread a row",
     doacross_rows, work_shared_out},
    {"sections", "ns/construct", "two sections, with their barrier", sections, two_sections},
    {"single", "ns/construct", "a single region, with its barrier", single, work_in_turn},
    {"single_nowait", "ns/construct", "a single region without its barrier", single_nowait,
     work_in_turn},
    {0},
};
