// Constructs inside a target region: barrier, single, critical, sections, ordered, tasks with
// dependences, locks and nested parallel regions.
#include "check.h"
#include <omp.h>

enum { LENGTH = 100 };

int main(void)
{
    int members = 0, once = 0, guarded = 0, late = 0, sections = 0, in_order = 1, next = 0;
    int tasks = 0, chain = 0, locked = 0, nested = 0, team = 0;
#pragma omp target map(tofrom : members, once, guarded, late, sections, in_order, next, tasks, chain, \
                           locked, nested, team)
    {
        omp_lock_t lock;
        omp_init_lock(&lock);
        omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
        {
#pragma omp atomic
            members++;
#pragma omp single
            {
                once++;
                team = omp_get_num_threads();
            }
#pragma omp critical
            guarded++;
#pragma omp barrier
            if (guarded != omp_get_num_threads())
#pragma omp atomic
                late++;
#pragma omp sections reduction(+ : sections)
            {
#pragma omp section
                sections += 1;
#pragma omp section
                sections += 10;
#pragma omp section
                sections += 100;
            }
#pragma omp for ordered schedule(dynamic)
            for (int i = 0; i < LENGTH; i++) {
#pragma omp ordered
                {
                    in_order = in_order && next == i;
                    next++;
                }
            }
#pragma omp single
            {
                for (int i = 0; i < LENGTH; i++) {
#pragma omp task
#pragma omp atomic
                    tasks++;
#pragma omp task depend(inout : chain)
                    chain = chain * 2 % 1000003 + 1;
                }
            }
            omp_set_lock(&lock);
            locked++;
            omp_unset_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp atomic
            nested++;
        }
        omp_destroy_lock(&lock);
    }
    int chain_wanted = 0;
    for (int i = 0; i < LENGTH; i++)
        chain_wanted = chain_wanted * 2 % 1000003 + 1;
    CHECK(team >= 1 && team <= 4);
    CHECK_EQ(members, team);
    CHECK_EQ(once, 1);
    CHECK_EQ(guarded, team);
    CHECK_EQ(late, 0);
    CHECK_EQ(sections, 111);
    CHECK_EQ(in_order, 1);
    CHECK_EQ(next, LENGTH);
    CHECK_EQ(tasks, LENGTH);
    CHECK_EQ(chain, chain_wanted);
    CHECK_EQ(locked, team);
    CHECK(nested >= team && nested <= 2 * team);
    return check_result();
}
