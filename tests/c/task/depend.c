// Dependences between siblings: each kind, array sections, iterators, the same address twice.
//#Threads:1,2,4,8
//#Repeat:2
#include "check.h"
#include <omp.h>

enum { LENGTH = 200 };

static int cells[2000];

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        // A chain.
        int value = 0;
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task depend(inout : value) shared(value) firstprivate(i)
            CHECK_EQ(value++, i);
        }
#pragma omp taskwait
        CHECK_EQ(value, LENGTH);

        // Writers exclude, readers share.
        int version = 0, readers = 0;
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(out : version) shared(version, readers) firstprivate(i)
            {
                CHECK_EQ(readers, i * 10);
                version = i + 1;
            }
            for (int j = 0; j < 10; j++) {
#pragma omp task depend(in : version) shared(version, readers) firstprivate(i)
                {
                    CHECK_EQ(version, i + 1);
#pragma omp atomic
                    readers++;
                }
            }
        }
#pragma omp taskwait
        CHECK_EQ(readers, 200);

        // Exclusive, in any order; then a reader of all.
        int a = 0, b = 0, c = 0;
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task depend(mutexinoutset : a, b) shared(a, b)
            {
                a++;
                b++;
            }
#pragma omp task depend(mutexinoutset : b, c) shared(b, c)
            {
                b++;
                c++;
            }
#pragma omp task depend(mutexinoutset : c, a) shared(a, c)
            {
                c++;
                a++;
            }
        }
#pragma omp task depend(in : a, b, c) shared(a, b, c)
        {
            CHECK_EQ(a, 2 * LENGTH);
            CHECK_EQ(b, 2 * LENGTH);
            CHECK_EQ(c, 2 * LENGTH);
        }
        // Mixed with in and out of other locations.
        int d = 0;
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(mutexinoutset : a) depend(in : b) depend(inout : d) shared(a, b, d)        \
    firstprivate(i)
            {
                CHECK_EQ(d, i);
                d++;
                a += b;
            }
        }
#pragma omp taskwait
        CHECK_EQ(a, 2 * LENGTH + 50 * 2 * LENGTH);

        // Another kind between closes the set.
        int set = 0;
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 5; i++) {
#pragma omp task depend(mutexinoutset : set) shared(set)
                set++;
            }
#pragma omp task depend(in : set) shared(set) firstprivate(round)
            CHECK_EQ(set, 5 * round + 5);
        }
#pragma omp taskwait

#ifdef __clang__
        // Side by side, between writers. gcc 12 does not know it.
        int many = 0;
#pragma omp task depend(out : many) shared(many)
        many = 1;
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task depend(inoutset : many) shared(many)
            __atomic_fetch_add(&many, 1, __ATOMIC_RELAXED);
        }
#pragma omp task depend(in : many) shared(many)
        CHECK_EQ(many, LENGTH + 1);
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task depend(inoutset : many) shared(many)
            __atomic_fetch_add(&many, 1, __ATOMIC_RELAXED);
        }
#pragma omp task depend(inout : many) shared(many)
        {
            CHECK_EQ(many, 2 * LENGTH + 1);
            many = 0;
        }

        // All memory.
        int one = 0, two = 0, seen = 0;
        for (int i = 0; i < 30; i++) {
#pragma omp task depend(out : one) shared(one)
            one++;
#pragma omp task depend(out : two) shared(two)
            two++;
#pragma omp task depend(inout : omp_all_memory) shared(one, two, seen) firstprivate(i)
            {
                CHECK_EQ(one, i + 1);
                CHECK_EQ(two, i + 1);
                CHECK_EQ(seen, i);
                seen++;
            }
#pragma omp task depend(in : many) shared(seen) firstprivate(i)
            CHECK(seen >= i + 1);
        }
#pragma omp task depend(out : omp_all_memory) depend(in : one) shared(seen)
        CHECK_EQ(seen, 30);
#pragma omp taskwait
#endif

        // Array sections: by their begin.
        int array[64] = {0};
        for (int round = 0; round < 8; round++) {
            for (int i = 0; i < 64; i += 8) {
#pragma omp task depend(inout : array[i : 8]) shared(array) firstprivate(i, round)
                for (int j = 0; j < 8; j++)
                    CHECK_EQ(array[i + j]++, round);
            }
        }
#pragma omp taskwait
        for (int i = 0; i < 64; i++)
            CHECK_EQ(array[i], 8);

        // An iterator: every element at once.
        int sum = 0;
        for (int i = 0; i < 2000; i++) {
#pragma omp task depend(out : cells[i]) firstprivate(i)
            cells[i] = i;
        }
#pragma omp task depend(iterator(k = 0 : 2000), in : cells[k]) shared(sum)
        for (int i = 0; i < 2000; i++)
            sum += cells[i];
#pragma omp task depend(iterator(k = 0 : 2000 : 2), inout : cells[k])
        for (int i = 0; i < 2000; i += 2)
            cells[i] = -1;
        for (int i = 0; i < 2000; i++) {
#pragma omp task depend(in : cells[i]) firstprivate(i)
            CHECK_EQ(cells[i], i % 2 ? i : -1);
        }
#pragma omp taskwait
        CHECK_EQ(sum, 1999000);

        // The same address twice in one construct.
        int twice = 0;
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(in : twice) depend(out : twice) shared(twice) firstprivate(i)
            CHECK_EQ(twice++, i);
#pragma omp task depend(in : twice, twice, twice) shared(twice) firstprivate(i)
            CHECK_EQ(twice, i + 1);
#pragma omp task depend(mutexinoutset : twice) depend(in : twice) shared(twice) firstprivate(i)
            CHECK_EQ(twice, i + 1);
        }
#pragma omp taskwait
    }
    return check_result();
}
