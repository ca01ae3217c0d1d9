// Threadprivate variables: a copy for each thread, that begins with the declared value, stays from
// region to region, and takes the primary thread's with copyin.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>

struct Pair {
    int number;
    double value;
};

static int visits = 7;
static struct Pair pair = {3, 0.5};
int table[100] = {1, 2, 3};
#pragma omp threadprivate(visits, pair, table)

static int next_of_function(void)
{
    static int own = 1000;
#pragma omp threadprivate(own)
    return own++;
}

static void *foreign(void *unused)
{
    (void)unused;
    // A thread of the program's has copies of its own, and so have its teams.
    CHECK_EQ(visits, 7);
    CHECK_EQ(table[2], 3);
    visits = 70;
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(visits, omp_get_thread_num() == 0 ? 70 : 7);
        visits++;
    }
    CHECK_EQ(visits, 71);
    return NULL;
}

int main(void)
{
    int members = omp_get_max_threads();
    omp_set_dynamic(0);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        CHECK_EQ(visits, 7);
        CHECK_EQ(pair.number, 3);
        CHECK(pair.value == 0.5);
        CHECK_EQ(table[1], 2);
        CHECK_EQ(table[99], 0);
        visits = me;
        pair = (struct Pair){me, me / 2.0};
        table[99] = me;
    }
    for (int round = 0; round < 30; round++)
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        CHECK_EQ(visits, me + round);
        CHECK_EQ(pair.number, me);
        CHECK(pair.value == me / 2.0);
        CHECK_EQ(table[99], me);
        CHECK_EQ(next_of_function(), 1000 + round);
        visits++;
    }
    for (int round = 0; round < 30; round++) {
        visits = -round;
        pair.number = round;
        table[50] = 3 * round;
#pragma omp parallel copyin(visits, pair, table)
        {
            CHECK_EQ(visits, -round);
            CHECK_EQ(pair.number, round);
            CHECK_EQ(table[50], 3 * round);
            // Nobody's copy changes before all have theirs.
            visits = 12345;
            table[50] = omp_get_thread_num();
        }
        CHECK_EQ(visits, 12345);
        CHECK_EQ(table[50], 0);
        int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
        wrong += table[50] != omp_get_thread_num();
        CHECK_EQ(wrong, 0);
    }
#pragma omp parallel
    {
#pragma omp single copyprivate(visits, pair)
        {
            visits = 99;
            pair.number = 98;
        }
        CHECK_EQ(visits, 99);
        CHECK_EQ(pair.number, 98);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    pthread_join(thread, NULL);
    // A smaller team leaves the others' copies alone.
#pragma omp parallel num_threads(1)
    visits = 5;
#pragma omp parallel num_threads(members)
    CHECK_EQ(visits, omp_get_thread_num() == 0 ? 5 : 99);
    return check_result();
}
