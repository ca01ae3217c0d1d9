// A target region is an initial task, wherever it is encountered: outside of all parallel regions and
// leagues, with threads of its own for the parallel regions inside, and a thread limit of its own.
//#Env:OMP_MAX_ACTIVE_LEVELS=1
//#StockFails:it executes the region in the task that encounters it
//#LibompFails:it has no function that executes an initial task
#include "check.h"
#include <omp.h>

struct answers {
    int level, in_parallel, threads, thread, teams, team, in_final, in_explicit_task, ancestor;
    int members, limit, members_limited;
};

static struct answers in_target(void)
{
    struct answers it = {0};
    int members = 0;
#pragma omp target map(from : it) map(tofrom : members) thread_limit(6)
    {
        it.level = omp_get_level();
        it.in_parallel = omp_in_parallel();
        it.threads = omp_get_num_threads();
        it.thread = omp_get_thread_num();
        it.teams = omp_get_num_teams();
        it.team = omp_get_team_num();
        it.in_final = omp_in_final();
        it.in_explicit_task = omp_in_explicit_task();
        it.ancestor = omp_get_ancestor_thread_num(0);
        it.limit = omp_get_thread_limit();
#pragma omp parallel num_threads(3)
#pragma omp atomic
        members++;
    }
    it.members = members;
    members = 0;
#pragma omp target map(tofrom : members) thread_limit(2)
#pragma omp parallel num_threads(5)
#pragma omp atomic
    members++;
    it.members_limited = members;
    return it;
}

static void check(struct answers it)
{
    CHECK_EQ(it.level, 0);
    CHECK_EQ(it.in_parallel, 0);
    CHECK_EQ(it.threads, 1);
    CHECK_EQ(it.thread, 0);
    CHECK_EQ(it.teams, 1);
    CHECK_EQ(it.team, 0);
    CHECK_EQ(it.in_final, 0);
    CHECK_EQ(it.in_explicit_task, 0);
    CHECK_EQ(it.ancestor, 0);
    CHECK_EQ(it.members, 3);
    CHECK_EQ(it.limit, 6);
    CHECK_EQ(it.members_limited, 2);
}

int main(void)
{
    check(in_target());
    struct answers all[3];
#pragma omp parallel num_threads(3)
    {
        all[omp_get_thread_num()] = in_target();
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_num_threads(), 3);
    }
    for (int i = 0; i < 3; i++)
        check(all[i]);
    struct answers in_team[2];
#pragma omp teams num_teams(2)
    {
        in_team[omp_get_team_num()] = in_target();
        CHECK_EQ(omp_get_num_teams(), 2);
    }
    for (int i = 0; i < 2; i++)
        check(in_team[i]);
    struct answers in_task;
#pragma omp task final(1) shared(in_task)
    {
        in_task = in_target();
        CHECK(omp_in_final());
    }
#pragma omp taskwait
    check(in_task);
    return check_result();
}
