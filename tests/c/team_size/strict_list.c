// num_threads clauses of OpenMP 6.0, by the calls that stand for them: a list gives the levels below
// their numbers and is over with its region; strict warns where the team is smaller, once each time.
//#Compilers:clang
//#Env:OMP_NUM_THREADS=2,2,2,2
//#Env:OMP_THREAD_LIMIT=6
//#Stderr:strict_list\.c:41(:\d+)?: num_threads\(strict: 9\): the team has 6 threads: too few\n
//#Stderr:too few\nOMP: Warning: ([^\n]*: )?num_threads\(strict: 8\): the team has 6 threads\n$
//#ReferenceFails:libomp has these calls from version 22 on, and other texts
#include "check.h"
#include <omp.h>
#include <stddef.h>

extern int __kmpc_global_thread_num(void *loc);
extern void __kmpc_push_num_threads_list(void *loc, int gtid, unsigned length, int *list);
extern void __kmpc_push_num_threads_strict(void *loc, int gtid, int threads, int severity,
                                           const char *message);
extern void __kmpc_push_num_threads_list_strict(void *loc, int gtid, unsigned length, int *list,
                                                int severity, const char *message);

// Sizes of the teams at the levels below the caller's, on primary threads.
static void sizes(int depth, int *found)
{
    if (depth == 0)
        return;
#pragma omp parallel
#pragma omp master
    {
        *found = omp_get_num_threads();
        sizes(depth - 1, found + 1);
    }
}

static int gtid(void)
{
    return __kmpc_global_thread_num(NULL);
}

struct location {
    int reserved, flags, more[2];
    const char *source;
} here = {0, 2, {0, 0}, ";strict_list.c;main;41;1;;"};

int main(void)
{
    int found[4], pair[] = {1, 3}, shorter[] = {1, 1, 2}, one[] = {3};
    omp_set_max_active_levels(4);

    sizes(3, found);
    CHECK(found[0] == 2 && found[1] == 2 && found[2] == 2);

    __kmpc_push_num_threads_list(NULL, gtid(), 2, pair);
    sizes(3, found);
    CHECK_EQ(found[0], 1);
    CHECK_EQ(found[1], 3);
    CHECK_EQ(found[2], 3);

    __kmpc_push_num_threads_list(NULL, gtid(), 3, shorter);
    sizes(4, found);
    CHECK(found[0] == 1 && found[1] == 1 && found[2] == 2 && found[3] == 2);

    __kmpc_push_num_threads_list(NULL, gtid(), 1, one);
    sizes(2, found);
    CHECK(found[0] == 3 && found[1] == 2);

    sizes(2, found);
    CHECK(found[0] == 2 && found[1] == 2);

    __kmpc_push_num_threads_strict(&here, gtid(), 4, 2, "this is not to be seen");
    sizes(1, found);
    CHECK_EQ(found[0], 4);
    __kmpc_push_num_threads_strict(&here, gtid(), 9, 1, "too few");
    sizes(1, found);
    CHECK_EQ(found[0], 6);
    int more[] = {8, 2};
    __kmpc_push_num_threads_list_strict(NULL, gtid(), 2, more, 1, NULL);
    sizes(1, found);
    CHECK_EQ(found[0], 6);
    return check_result();
}
