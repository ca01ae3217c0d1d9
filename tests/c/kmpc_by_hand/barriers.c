// Barriers in two halves, scopes, and a pointer that one thread gives to all.
//#Compilers:clang
//#Threads:1,2,4,11
//#NoStderr
#include "check.h"
#include <omp.h>

extern int __kmpc_global_thread_num(void *);
extern int __kmpc_barrier_master(void *, int);
extern void __kmpc_end_barrier_master(void *, int);
extern int __kmpc_barrier_master_nowait(void *, int);
extern int __kmpc_single(void *, int);
extern void __kmpc_end_single(void *, int);
extern void *__kmpc_copyprivate_light(void *, int, void *);
extern void __kmpc_barrier(void *, int);
extern void __kmpc_scope(void *, int, void *);
extern void __kmpc_end_scope(void *, int, void *);

enum { ROUNDS = 300 };

static int arrived, collected, told, scopes;

static void in_two_halves(int gtid, int round)
{
    int size = omp_get_num_threads();
#pragma omp atomic
    arrived++;
    if (__kmpc_barrier_master(NULL, gtid)) {
        CHECK_EQ(omp_get_thread_num(), 0);
        // All are here, and nobody goes on before the end.
        CHECK_EQ(arrived, size * (round + 1));
        collected = round + 1;
        __kmpc_end_barrier_master(NULL, gtid);
    } else {
        CHECK(omp_get_thread_num() != 0);
        CHECK_EQ(collected, round + 1);
    }
    if (__kmpc_barrier_master_nowait(NULL, gtid)) {
        CHECK_EQ(omp_get_thread_num(), 0);
        CHECK_EQ(arrived, size * (round + 1));
#pragma omp atomic
        told++;
    }
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL);
        for (int round = 0; round < ROUNDS; round++) {
            in_two_halves(gtid, round);

            int values[2] = {0, 0};
            void *mine = NULL;
            if (__kmpc_single(NULL, gtid)) {
                values[0] = round;
                values[1] = omp_get_thread_num();
                mine = values;
                __kmpc_end_single(NULL, gtid);
            }
            int *given = __kmpc_copyprivate_light(NULL, gtid, mine);
            CHECK_EQ(given[0], round);
            CHECK(given[1] >= 0 && given[1] < omp_get_num_threads());
            CHECK_EQ(given == values, given[1] == omp_get_thread_num());
            __kmpc_barrier(NULL, gtid);

            __kmpc_scope(NULL, gtid, NULL);
#pragma omp atomic
            scopes++;
            __kmpc_end_scope(NULL, gtid, NULL);
            __kmpc_barrier(NULL, gtid);
        }
    }
    CHECK_EQ(told, ROUNDS);
    CHECK_EQ(scopes, ROUNDS * omp_get_max_threads());
    return check_result();
}
