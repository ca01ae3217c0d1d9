// Task reductions: taskgroup, taskloop, and the task modifier on parallel and worksharing
// constructs; arrays, user-defined operators, nested, in tasks of tasks.
//#Threads:1,2,4
//#Repeat:3
#include "check.h"
#include <limits.h>
#include <omp.h>

enum { LENGTH = 500 };

struct pair {
    long sum, product;
};

static void combine(struct pair *into, const struct pair *from)
{
    into->sum += from->sum;
    into->product = into->product * from->product % 1000003;
}

#pragma omp declare reduction(both : struct pair : combine(&omp_out, &omp_in))                     \
    initializer(omp_priv = (struct pair){0, 1})
#pragma omp declare reduction(longest : int : omp_out = omp_out > omp_in ? omp_out : omp_in)       \
    initializer(omp_priv = omp_orig)

static int deep;

// The item is named by its own address at every depth.
static void descend(int depth)
{
#pragma omp task in_reduction(+ : deep) firstprivate(depth)
    {
        deep += 1;
        if (depth > 0) {
            descend(depth - 1);
            descend(depth - 1);
        }
#pragma omp taskwait
    }
}

static long product_of_all(void)
{
    long product = 1;
    for (int i = 1; i <= LENGTH; i++)
        product = product * (i % 97 + 1) % 1000003;
    return product;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        // taskgroup: the value before counts, tasks without the clause do not.
        int sum = 100;
        double product = 1;
        unsigned bits = ~0u;
        int any = 0, least = INT_MAX;
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)                          \
    task_reduction(& : bits) task_reduction(|| : any) task_reduction(min : least)
        {
            for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
                sum += i;
#pragma omp task in_reduction(* : product) firstprivate(i)
                if (i % 50 == 0)
                    product *= 2;
#pragma omp task in_reduction(& : bits) in_reduction(|| : any) in_reduction(min : least)           \
    firstprivate(i)
                {
                    bits &= ~(1u << i % 16);
                    any = any || i == 77;
                    least = i < least ? 1000 - i : least;
                }
            }
        }
        CHECK_EQ(sum, 100 + LENGTH * (LENGTH - 1) / 2);
        CHECK_EQ(product, 1024);
        CHECK_EQ(bits, 0xffff0000u);
        CHECK(any);
        CHECK(least <= 1000);

        // Arrays, and sections of what a pointer leads to.
        int array[64] = {0};
#pragma omp taskgroup task_reduction(+ : array)
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : array) firstprivate(i)
            array[i % 64]++;
        }
        int all = 0;
        for (int i = 0; i < 64; i++)
            all += array[i];
        CHECK_EQ(all, LENGTH);
#ifndef __clang__
        // clang 22 hands down the size of one element, or crashes.
        static long heap[1000];
        long *part = heap + 100;
#pragma omp taskgroup task_reduction(+ : part[0 : 800])
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task in_reduction(+ : part[0 : 800]) firstprivate(i)
            part[i] += i;
        }
        for (int i = 0; i < LENGTH; i++)
            CHECK_EQ(part[i], i);
#endif

        // User-defined, with an initializer of its own and of the original.
        struct pair pair = {5, 1};
        int longest = 3;
#pragma omp taskgroup task_reduction(both : pair) task_reduction(longest : longest)
        for (int i = 1; i <= LENGTH; i++) {
#pragma omp task in_reduction(both : pair) in_reduction(longest : longest) firstprivate(i)
            {
                struct pair one = {i, i % 97 + 1};
                combine(&pair, &one);
                CHECK(longest >= 3);
                longest = longest > i ? longest : i;
            }
        }
        CHECK_EQ(pair.sum, 5 + LENGTH * (LENGTH + 1) / 2);
        CHECK_EQ(pair.product, product_of_all());
        CHECK_EQ(longest, LENGTH);

        // taskgroups in taskgroups: the innermost that reduces it is meant.
        int outer = 0, inner = 0;
#pragma omp taskgroup task_reduction(+ : outer)
        for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : outer) firstprivate(i) shared(inner)
            {
                outer += 1;
                int mine = 0;
#pragma omp taskgroup task_reduction(+ : mine)
                for (int j = 0; j < 10; j++) {
#pragma omp task in_reduction(+ : mine, outer) firstprivate(i, j)
                    {
                        mine += j;
                        outer += 100;
                    }
                }
                CHECK_EQ(mine, 45);
#pragma omp atomic
                inner += mine;
            }
        }
        CHECK_EQ(outer, 20 + 20 * 10 * 100);
        CHECK_EQ(inner, 900);

        // taskloop: reduction of its own, in_reduction of a group around.
        long total = 0, most = 0;
#pragma omp taskloop reduction(+ : total) reduction(max : most) num_tasks(9)
        for (int i = 0; i < LENGTH; i++) {
            total += i;
            most = i > most ? i : most;
        }
        CHECK_EQ(total, LENGTH * (LENGTH - 1) / 2);
        CHECK_EQ(most, LENGTH - 1);
        long grouped = 1;
#pragma omp taskgroup task_reduction(+ : grouped)
        {
#pragma omp taskloop in_reduction(+ : grouped) grainsize(7) nogroup
            for (int i = 0; i < LENGTH; i++)
                grouped += 1;
#pragma omp task in_reduction(+ : grouped)
            grouped += 1000;
#pragma omp taskloop in_reduction(+ : grouped) num_tasks(3)
            for (int i = 0; i < LENGTH; i++)
                grouped += 2;
        }
        CHECK_EQ(grouped, 1001 + 3 * LENGTH);
        long nested = 0;
#pragma omp taskloop reduction(+ : nested) num_tasks(4)
        for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : nested)
            nested += 10;
            nested += 1;
        }
        CHECK_EQ(nested, 88);
        // The tasks of a loop, collapsed, with arrays.
        int counts[10] = {0};
#pragma omp taskloop collapse(2) reduction(+ : counts) grainsize(5)
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 30; j++)
                counts[j % 10]++;
        for (int i = 0; i < 10; i++)
            CHECK_EQ(counts[i], 60);
        // A task that changes nothing, an undeferred one, and a final one.
        int odd = 7;
#pragma omp taskgroup task_reduction(+ : odd)
        {
#pragma omp task in_reduction(+ : odd)
            odd += 0;
#pragma omp task in_reduction(+ : odd) if (0)
            odd += 1;
#pragma omp task in_reduction(+ : odd) final(1)
            {
#pragma omp task in_reduction(+ : odd)
                odd += 10;
            }
        }
        CHECK_EQ(odd, 18);
#pragma omp taskgroup task_reduction(+ : odd)
        {
        }
        CHECK_EQ(odd, 18);
#pragma omp taskgroup task_reduction(+ : deep)
        descend(6);
        CHECK_EQ(deep, 127);
        deep = 0;
    }
    return check_result();
}
