// if(0) with depend, taskwait with depend and nowait, dependences across taskgroups and levels.
//#Threads:1,2,4
//#Repeat:3
#include "check.h"
#include <omp.h>
#include <unistd.h>

int main(void)
{
    // Counted by a task that only the end of the region waits for.
    int w = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int round = 0; round < 50; round++) {
            int x = 0, y = 0;
#pragma omp task depend(out : x) shared(x)
            x = 1;
#pragma omp task depend(out : y) shared(y)
            y = 10;
            // Undeferred: waits for what it depends on, then runs here, before anything after.
            int here = omp_get_thread_num();
#pragma omp task depend(inout : x) if (0) shared(x)
            {
                CHECK_EQ(omp_get_thread_num(), here);
                CHECK_EQ(x, 1);
                x = 2;
            }
            CHECK_EQ(x, 2);
#pragma omp task depend(in : x, y) final(1) shared(x, y)
            CHECK_EQ(x + y, 12);
#pragma omp taskwait depend(in : y)
            CHECK_EQ(y, 10);
#pragma omp task depend(inout : x) shared(x)
            x = 3;
#pragma omp taskwait depend(inout : x)
            CHECK_EQ(x, 3);
            // Readers do not keep a reader waiting.
            int release = 0;
#pragma omp task depend(in : x) shared(release) if (omp_get_num_threads() > 1)
            while (omp_get_num_threads() > 1 && !__atomic_load_n(&release, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
            }
#pragma omp taskwait depend(in : x)
            __atomic_store_n(&release, 1, __ATOMIC_RELEASE);
#pragma omp taskwait depend(out : x)
            // Nothing known of these.
            int unknown = 0;
            (void)&unknown;
#pragma omp taskwait depend(in : unknown) depend(out : round)
#ifdef __clang__
            // Without waiting: a place in the order, for those who come after.
            int z = 0;
#pragma omp task depend(out : x) shared(x)
            x = 4;
#pragma omp taskwait depend(in : x) depend(out : z) nowait
#pragma omp task depend(in : z) shared(x)
            CHECK_EQ(x, 4);
#pragma omp taskwait depend(out : omp_all_memory) nowait
#endif
#pragma omp taskwait
        }

        // Siblings are ordered across taskgroups.
        int v = 0;
        for (int round = 0; round < 50; round++) {
#pragma omp taskgroup
            {
#pragma omp task depend(inout : v) shared(v) firstprivate(round)
                CHECK_EQ(v++, 2 * round);
#pragma omp taskgroup
                {
#pragma omp task depend(inout : v) shared(v) firstprivate(round)
                    CHECK_EQ(v++, 2 * round + 1);
                }
            }
            CHECK_EQ(v, 2 * round + 2);
        }
        v = 0;
#pragma omp task depend(inout : v) shared(v)
        {
            usleep(1000);
            v = 1;
        }
#pragma omp taskgroup
        {
#pragma omp task depend(inout : v) shared(v)
            CHECK_EQ(v++, 1);
        }
        CHECK_EQ(v, 2);

        // Cousins are not siblings: each generating task has its own order.
        int counts[4] = {0};
        for (int i = 0; i < 4; i++) {
#pragma omp task shared(v, counts) firstprivate(i)
            {
                for (int j = 0; j < 20; j++) {
#pragma omp task depend(inout : v) shared(counts) firstprivate(i, j)
                    CHECK_EQ(counts[i]++, j);
                }
#pragma omp taskwait
            }
        }
#pragma omp taskwait
        for (int i = 0; i < 4; i++)
            CHECK_EQ(counts[i], 20);

        // A dependent task is complete for its successors without its children.
#pragma omp task depend(out : w) shared(w)
        {
#pragma omp task shared(w)
            {
#pragma omp atomic
                w++;
            }
        }
#pragma omp task depend(in : w)
        {
        }
#pragma omp taskwait
    }

    // Every thread has its own order of the same location.
    int shared = 0;
    (void)&shared;
#pragma omp parallel
    {
        int mine = 0;
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : shared) shared(mine) firstprivate(i)
            CHECK_EQ(mine++, i);
        }
#pragma omp taskwait
        CHECK_EQ(mine, 100);
        // Left to the barrier.
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : shared)
            {
            }
        }
    }

    // Untied tasks, and tasks whose generating task ends first.
    int order = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(order)
        for (int i = 0; i < 50; i++) {
#pragma omp task untied depend(inout : order) shared(order) firstprivate(i)
            {
                CHECK_EQ(order, i);
#pragma omp taskyield
                order++;
            }
        }
    }
    CHECK_EQ(order, 50);

#ifdef __clang__
    // Tasks of one inoutset do not wait for each other, undeferred ones either: this would hang.
    for (int round = 0; round < 20; round++) {
        int set = 0;
#pragma omp parallel
#pragma omp single
        {
            omp_event_handle_t event;
#pragma omp task depend(out : set) shared(set)
            set = 1;
#pragma omp task detach(event) depend(inoutset : set) shared(set)
            CHECK_EQ(set, 1);
#pragma omp task if (0) depend(inoutset : set) shared(set)
            CHECK_EQ(set, 1);
#pragma omp taskwait depend(inoutset : set)
            omp_fulfill_event(event);
#pragma omp task if (0) depend(in : set) shared(set)
            CHECK_EQ(set, 1);
        }
    }
#endif
    return check_result();
}
