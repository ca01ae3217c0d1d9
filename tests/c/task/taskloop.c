// taskloop: shares of the iterations, bounds of every type, collapse, nogroup, if, final,
// lastprivate.
//#Threads:1,2,4
//#Repeat:2
//#Flags:-Wno-sign-compare
#include "check.h"
#include <limits.h>
#include <omp.h>

enum { LENGTH = 1000 };

static int hits[LENGTH];

static void all_once(int line)
{
    for (int i = 0; i < LENGTH; i++) {
        if (hits[i] != 1)
            fprintf(stderr, "line %d: iteration %d ran %d times\n", line, i, hits[i]);
        CHECK_EQ(hits[i], 1);
        hits[i] = 0;
    }
}

static void hit(long i)
{
    CHECK(i >= 0 && i < LENGTH);
    __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop
        for (int i = 0; i < LENGTH; i++)
            hit(i);
        all_once(__LINE__);
#pragma omp taskloop grainsize(7)
        for (int i = LENGTH - 1; i >= 0; i--)
            hit(i);
        all_once(__LINE__);
#pragma omp taskloop num_tasks(13)
        for (unsigned i = 0; i < LENGTH; i++)
            hit(i);
        all_once(__LINE__);
#pragma omp taskloop num_tasks(5000)
        for (long i = LENGTH; i > 0; i -= 1)
            hit(i - 1);
        all_once(__LINE__);
#pragma omp taskloop grainsize(10000)
        for (unsigned long i = 0; i < LENGTH; i++)
            hit(i);
        all_once(__LINE__);
#pragma omp taskloop grainsize(strict : 7)
        for (short i = 0; i < LENGTH; i++)
            hit(i);
        all_once(__LINE__);
#pragma omp taskloop num_tasks(strict : 7)
        for (long long i = -LENGTH; i < 0; i++)
            hit(i + LENGTH);
        all_once(__LINE__);
#pragma omp taskloop collapse(3) grainsize(3)
        for (int i = 0; i < 10; i++)
            for (long j = 0; j < 10; j++)
                for (unsigned k = 10; k > 0; k--)
                    hit(i * 100 + j * 10 + k - 1);
        all_once(__LINE__);
#pragma omp taskloop if (0)
        for (int i = 0; i < LENGTH; i++)
            hit(i);
        all_once(__LINE__);
        int here = omp_get_thread_num();
#pragma omp taskloop if (0) num_tasks(10)
        for (int i = 0; i < LENGTH; i++) {
            CHECK_EQ(omp_get_thread_num(), here);
            hit(i);
        }
        all_once(__LINE__);
#pragma omp taskloop final(1) num_tasks(10)
        for (int i = 0; i < LENGTH; i++) {
            CHECK(omp_in_final());
            int done = 0;
#pragma omp task shared(done)
            done = 1;
            CHECK_EQ(done, 1);
            hit(i);
        }
        all_once(__LINE__);
#pragma omp taskloop nogroup untied priority(3) mergeable
        for (int i = 0; i < LENGTH; i++)
            hit(i);
#pragma omp taskwait
        all_once(__LINE__);
        // The implicit group waits for descendants too.
#pragma omp taskloop num_tasks(8)
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task firstprivate(i)
            hit(i);
        }
        all_once(__LINE__);
#pragma omp taskloop simd grainsize(9)
        for (int i = 0; i < LENGTH; i++)
            hits[i]++;
        all_once(__LINE__);

        // Private data and the last value, which the last iteration leaves wherever it ran.
        int last = -1, base = 5, index;
#pragma omp taskloop lastprivate(last) firstprivate(base) num_tasks(9)
        for (int i = 0; i < LENGTH; i++) {
            base++;
            last = i * 3;
            CHECK(base > 5);
        }
        CHECK_EQ(last, (LENGTH - 1) * 3);
        CHECK_EQ(base, 5);
#pragma omp taskloop lastprivate(index) grainsize(6)
        for (index = 0; index < LENGTH; index += 7) {
        }
        CHECK_EQ(index, 1001);
        long one = 0, two = 0;
#pragma omp taskloop collapse(2) lastprivate(one, two) num_tasks(6)
        for (int i = 0; i < 20; i++)
            for (int j = 5; j > -5; j -= 2) {
                one = i;
                two = j;
            }
        CHECK_EQ(one, 19);
        CHECK_EQ(two, -3);

        // No trips at all.
        int trips = 0;
        volatile int zero = 0;
#pragma omp taskloop shared(trips)
        for (int i = 0; i < zero; i++)
            trips++;
#ifndef __clang__
        // clang hands down 2^32 - 5 iterations.
#pragma omp taskloop shared(trips) grainsize(3)
        for (unsigned i = 5; i < (unsigned)zero; i++)
            trips++;
#endif
#pragma omp taskloop shared(trips) num_tasks(3)
        for (long i = -5; i > zero; i--)
            trips++;
#pragma omp taskloop collapse(2) shared(trips)
        for (int i = 0; i < 10; i++)
            for (int j = zero; j < zero; j++)
                trips++;
        CHECK_EQ(trips, 0);

        // Bounds at the ends of their types.
        long long sum = 0;
#pragma omp taskloop shared(sum) num_tasks(4)
        for (int i = INT_MAX - 10; i < INT_MAX; i++) {
#pragma omp atomic
            sum += (long long)i - INT_MAX;
        }
        CHECK_EQ(sum, -55);
        sum = 0;
#pragma omp taskloop shared(sum) grainsize(2)
        for (unsigned long long i = ULLONG_MAX - 10; i < ULLONG_MAX; i++) {
#pragma omp atomic
            sum += (long long)(ULLONG_MAX - i);
        }
        CHECK_EQ(sum, 55);
#ifdef __clang__
        // gcc hands down a step of 2^32 - 3.
        sum = 0;
#pragma omp taskloop shared(sum) grainsize(2)
        for (unsigned i = UINT_MAX - 1; i > UINT_MAX - 31; i -= 3) {
#pragma omp atomic
            sum += UINT_MAX - i;
        }
        CHECK_EQ(sum, 1 + 4 + 7 + 10 + 13 + 16 + 19 + 22 + 25 + 28);
#endif
        sum = 0;
#pragma omp taskloop shared(sum) num_tasks(3)
        for (long long i = LLONG_MIN; i < LLONG_MIN + 100; i += 10) {
#pragma omp atomic
            sum += i - LLONG_MIN;
        }
        CHECK_EQ(sum, 450);
        sum = 0;
#pragma omp taskloop shared(sum) num_tasks(3)
        for (int i = 1000000000; i > -2000000000; i -= 1000000000) {
#pragma omp atomic
            sum += i;
        }
        CHECK_EQ(sum, 0);
    }

    // All threads at once, and combined constructs.
#pragma omp parallel
#pragma omp taskloop
    for (int i = 0; i < LENGTH; i++)
        hit(i);
    for (int i = 0; i < LENGTH; i++) {
        CHECK_EQ(hits[i], omp_get_max_threads());
        hits[i] = 0;
    }
#pragma omp parallel master taskloop num_tasks(10)
    for (int i = 0; i < LENGTH; i++)
        hit(i);
    all_once(__LINE__);
#pragma omp parallel
#pragma omp master taskloop simd
    for (int i = 0; i < LENGTH; i++)
        hits[i]++;
    all_once(__LINE__);
    // Outside any region.
#pragma omp taskloop grainsize(17)
    for (int i = 0; i < LENGTH; i++)
        hit(i);
    all_once(__LINE__);
    return check_result();
}
