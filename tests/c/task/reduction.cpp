// Task reductions of objects: each copy is begun and ended once.
//#Threads:1,2,4
//#Repeat:2
#include "check.h"
#include <atomic>
#include <omp.h>
#include <string>
#include <vector>

static std::atomic<int> alive;

struct Set {
    std::vector<int> members;
    Set() { alive++; }
    Set(const Set &other) : members(other.members) { alive++; }
    Set &operator=(const Set &) = default;
    ~Set() { alive--; }
    void add(const Set &other)
    {
        members.insert(members.end(), other.members.begin(), other.members.end());
    }
};

#pragma omp declare reduction(join : Set : omp_out.add(omp_in)) initializer(omp_priv = Set())

int main()
{
    {
        Set set, loop;
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup task_reduction(join : set)
            for (int i = 0; i < 300; i++) {
#pragma omp task in_reduction(join : set) firstprivate(i)
                set.members.push_back(i);
            }
#pragma omp taskloop reduction(join : loop) num_tasks(11)
            for (int i = 0; i < 300; i++)
                loop.members.push_back(i);
        }
        long sum = 0;
        for (int member : set.members)
            sum += member;
        CHECK_EQ(sum, 44850);
        for (int member : loop.members)
            sum -= member;
        CHECK_EQ(sum, 0);
        CHECK_EQ(set.members.size(), 300);
        CHECK_EQ(loop.members.size(), 300);
        CHECK_EQ(alive.load(), 2);
    }
    CHECK_EQ(alive.load(), 0);
    return check_result();
}
