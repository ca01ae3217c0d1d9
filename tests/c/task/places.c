// Tasks wherever a construct may stand, completed by every kind of barrier.
//#Threads:1,2,4
//#Repeat:2
#include "check.h"
#include <omp.h>

enum { TASKS = 50 };

static int ran;

static void some(int count)
{
    for (int i = 0; i < count; i++) {
#pragma omp task
        {
#pragma omp atomic
            ran++;
        }
    }
}

static void expect(int count)
{
    CHECK_EQ(__atomic_exchange_n(&ran, 0, __ATOMIC_SEQ_CST), count);
}

int main(void)
{
    int threads = omp_get_max_threads();

    // Outside any region: at once or at the taskwait.
    some(TASKS);
#pragma omp taskwait
    expect(TASKS);
#pragma omp taskgroup
    some(TASKS);
    expect(TASKS);
    int value = 1;
#pragma omp task depend(inout : value) shared(value)
    value *= 5;
#pragma omp task depend(inout : value) shared(value)
    value += 2;
#pragma omp taskwait
    CHECK_EQ(value, 7);

#pragma omp parallel
    some(TASKS);
    expect(threads * TASKS);

#pragma omp parallel
    {
#pragma omp master
        some(TASKS);
    }
    expect(TASKS);

#pragma omp parallel
    {
#pragma omp masked filter(omp_get_num_threads() - 1)
        some(TASKS);
    }
    expect(TASKS);

#pragma omp parallel
    {
        some(TASKS);
#pragma omp barrier
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), threads * TASKS);
#pragma omp barrier
#pragma omp single
        ran = 0;
        some(1);
#pragma omp barrier
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), threads);
#pragma omp barrier
#pragma omp single
        ran = 0;

#pragma omp for
        for (int i = 0; i < 100; i++)
            some(1);
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), 100);
#pragma omp barrier
#pragma omp single
        ran = 0;
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 100; i++)
            some(2);
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), 200);
#pragma omp barrier
#pragma omp single
        ran = 0;
#pragma omp for nowait schedule(guided)
        for (int i = 0; i < 100; i++)
            some(1);
#pragma omp sections
        {
#pragma omp section
            some(10);
#pragma omp section
            some(20);
#pragma omp section
            some(30);
        }
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), 160);
#pragma omp barrier
#pragma omp single
        ran = 0;
#pragma omp single nowait
        some(TASKS);
#pragma omp barrier
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), TASKS);
#pragma omp barrier
#pragma omp single
        ran = 0;
        int from = 0;
#pragma omp single copyprivate(from)
        {
            some(TASKS);
            from = 3;
        }
        CHECK_EQ(from, 3);
#pragma omp barrier
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), TASKS);
#pragma omp barrier
#pragma omp single
        ran = 0;
#pragma omp critical
        some(TASKS);
#pragma omp barrier
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), threads * TASKS);
#pragma omp barrier
#pragma omp single
        ran = 0;
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 40; i++) {
#pragma omp ordered
            some(1);
        }
        CHECK_EQ(__atomic_load_n(&ran, __ATOMIC_RELAXED), 40);
    }
    ran = 0;

    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
        some(1);
        sum += i;
    }
    CHECK_EQ(sum, 4950);
    expect(100);

    // Nested regions, with one thread and more, and tasks of each level.
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
    {
        some(5);
#pragma omp parallel num_threads(2)
        {
            some(7);
#pragma omp parallel num_threads(1)
            {
                some(11);
#pragma omp barrier
                some(1);
            }
        }
#pragma omp parallel if (0)
        some(13);
        some(1);
    }
    expect(2 * (5 + 2 * (7 + 12) + 13 + 1));

    // A task opens a region, whose threads make tasks.
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(i)
        {
            int size = 0;
#pragma omp parallel num_threads(2) reduction(+ : size)
            {
                size += 1;
                some(3);
            }
            CHECK(size == 1 || size == 2);
#pragma omp atomic
            ran += 100 - 3 * size;
#pragma omp parallel for
            for (int j = 0; j < 4; j++)
                some(1);
        }
    }
    expect(10 * 104);
    return check_result();
}
