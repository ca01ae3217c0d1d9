// Regions that begin by calls other than clang's, and the questions about them.
//#Compilers:clang
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>

typedef void body(int *, int *, void *);
typedef void empty(int *, int *);

extern void __kmpc_begin(void *, int);
extern void __kmpc_end(void *);
extern void __kmpc_fork_call_if(void *, int, void *, int, void *);
extern void __kmpc_push_num_threads(void *, int, int);
extern void __kmpc_pop_num_threads(void *, int);
extern int __kmpc_global_thread_num(void *);
extern int __kmpc_global_num_threads(void *);
extern int __kmpc_bound_thread_num(void *);
extern int __kmpc_bound_num_threads(void *);
extern int __kmpc_in_parallel(void *);
extern int __kmpc_ok_to_fork(void *);
extern int __kmpc_pause_resource(int);

struct Team {
    int wanted, level, members;
    unsigned long numbers;
};

static void member(int *gtid, int *btid, void *data)
{
    struct Team *team = data;
    CHECK_EQ(*gtid, __kmpc_global_thread_num(NULL));
    CHECK_EQ(*btid, omp_get_thread_num());
    CHECK_EQ(__kmpc_bound_thread_num(NULL), omp_get_thread_num());
    CHECK_EQ(__kmpc_bound_num_threads(NULL), team->wanted);
    CHECK_EQ(omp_get_level(), team->level);
    CHECK_EQ(__kmpc_in_parallel(NULL) != 0, omp_in_parallel());
#pragma omp atomic
    team->members++;
#pragma omp atomic
    team->numbers |= 1ul << *btid;
}

static int without_data;

static void counted(int *gtid, int *btid)
{
    (void)gtid, (void)btid;
#pragma omp atomic
    without_data++;
}

// A region of `wanted` threads.
static void region(int condition, int wanted, int level)
{
    struct Team team = {.wanted = wanted, .level = level};
    __kmpc_fork_call_if(NULL, 1, member, condition, &team);
    CHECK_EQ(team.members, wanted);
    CHECK_EQ(team.numbers, (1ul << wanted) - 1);
}

int main(void)
{
    __kmpc_begin(NULL, 0);
    int most = omp_get_max_threads();
    CHECK_EQ(__kmpc_in_parallel(NULL), 0);
    CHECK_EQ(__kmpc_bound_num_threads(NULL), 1);
    CHECK_EQ(__kmpc_bound_thread_num(NULL), 0);
    CHECK_EQ(__kmpc_ok_to_fork(NULL), 1);
    for (int round = 0; round < 50; round++) {
        region(1, most, 1);
        region(0, 1, 1);
        region(-7, most, 1);
        __kmpc_push_num_threads(NULL, 0, 3);
        region(1, 3, 1);
        __kmpc_pop_num_threads(NULL, 0);
        region(1, most, 1);
        without_data = 0;
        __kmpc_fork_call_if(NULL, 0, counted, 1, NULL);
        CHECK_EQ(without_data, most);
    }
    CHECK(__kmpc_global_num_threads(NULL) >= 3);
#pragma omp parallel num_threads(2)
    region(1, 1, 2);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        region(1, most, 2);
        region(0, 1, 2);
    }
    CHECK_EQ(__kmpc_pause_resource(omp_pause_soft), 0);
    region(1, most, 1);
    __kmpc_end(NULL);
    region(1, most, 1);
    return check_result();
}
