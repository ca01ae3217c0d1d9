/* Explicit tasks without dependences. Counts are tasks of the whole team. */

#include "bench.h"

static void task_one_producer(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task
        work();
    }
}

static void task_all_producers(long count)
{
#pragma omp parallel
    for (long i = 0; i < count / threads; i++) {
#pragma omp task
        work();
    }
}

static void task_if0(long count)
{
    volatile int zero = 0;
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task if (zero)
        work();
    }
}

static void task_in_final(long count)
{
    volatile int one = 1;
#pragma omp parallel
#pragma omp single
#pragma omp task final(one)
    for (long i = 0; i < count; i++) {
#pragma omp task
        work();
    }
}

struct payload {
    char bytes[256];
};

static void task_payload256(long count)
{
    struct payload payload = {{0}};
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task firstprivate(payload)
        {
            touch(&payload);
            work();
        }
    }
}

/* A binary tree of this depth; its root is no task of its own. */
#define DEPTH 9
#define TREE_TASKS ((2L << DEPTH) - 2)
#define TREE_LEAVES (1L << DEPTH)

static void grow(int depth)
{
    if (depth == 0) {
        work();
        return;
    }
#pragma omp task
    grow(depth - 1);
#pragma omp task
    grow(depth - 1);
#pragma omp taskwait
}

static void task_tree(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i += TREE_TASKS)
        grow(DEPTH);
}

static void work_of_leaves(long count)
{
    work_shared_out(count / TREE_TASKS * TREE_LEAVES);
}

/* Each task works and makes two more, and waits for none: most tasks are freed by a thread that
 * did not make them. */
static void spread(int depth)
{
    work();
    if (depth == 0)
        return;
#pragma omp task
    spread(depth - 1);
#pragma omp task
    spread(depth - 1);
}

static void task_spread(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i += TREE_TASKS) {
#pragma omp taskgroup
        spread(DEPTH);
    }
}

static void taskwait_one_child(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task
        work();
#pragma omp taskwait
    }
}

static void taskgroup_empty(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp taskgroup
        work();
    }
}

static void taskgroup_reduction(long count)
{
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp task in_reduction(+ : sum)
            {
                work();
                sum++;
            }
        }
    }
    expect(sum == count, "a task reduction's sum");
}

#define SMALL_LOOP 64

/* The runtime chooses the number of tasks. */
static void taskloop_small(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp taskloop
        for (int iteration = 0; iteration < SMALL_LOOP; iteration++)
            work();
    }
}

static void work_of_small_loops(long count)
{
    work_shared_out(count * SMALL_LOOP);
}

static void taskloop_grain16(long count)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp taskloop grainsize(16)
        for (int iteration = 0; iteration < 16 * SMALL_LOOP; iteration++)
            work();
    }
}

static void work_of_large_loops(long count)
{
    work_shared_out(count * 16 * SMALL_LOOP);
}

const struct benchmark benchmarks[] = {
    {"task_one_producer", "ns/task", "tasks that one thread makes and all run", task_one_producer,
     work_shared_out},
    {"task_all_producers", "ns/task", "tasks that each thread makes", task_all_producers,
     work_shared_out},
    {"task_if0", "ns/task", "undeferred tasks", task_if0, work_in_turn},
    {"task_in_final", "ns/task", "tasks inside a final task", task_in_final, work_in_turn},
    {"task_payload256", "ns/task", "tasks with 256 bytes of firstprivate data", task_payload256,
     work_shared_out},
    {"task_tree", "ns/task", "a binary tree of 1022 tasks, each of which waits for its children",
     task_tree, work_of_leaves, TREE_TASKS},
    {"task_spread", "ns/task", "a binary tree of 1022 tasks that wait for none", task_spread,
     work_shared_out, TREE_TASKS},
    {"taskwait_one_child", "ns/task", "a task and a taskwait", taskwait_one_child, work_in_turn},
    {"taskgroup_empty", "ns/taskgroup", "a taskgroup without tasks", taskgroup_empty,
     work_in_turn},
    {"taskgroup_reduction", "ns/taskgroup", "a taskgroup that reduces a long, with one task",
     taskgroup_reduction, work_in_turn},
    {"taskloop_small", "ns/taskloop", "a taskloop of 64 iterations; the runtime cuts it",
     taskloop_small, work_of_small_loops},
    {"taskloop_grain16", "ns/taskloop", "a taskloop of 64 tasks, 16 iterations each",
     taskloop_grain16, work_of_large_loops},
    {0},
};
