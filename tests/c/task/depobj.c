// Depend objects: made, changed, used as often as one likes, together with other dependences.
//#Threads:1,2,4
//#Repeat:2
#include "check.h"
#include <omp.h>

int main(void)
{
    int a = 0, b = 0;
    omp_depend_t of_a, of_b, first, second;
#pragma omp depobj(of_a) depend(inout : a)
#pragma omp depobj(of_b) depend(in : b)
#pragma omp depobj(first) depend(mutexinoutset : a)
#pragma omp depobj(second) depend(inout : b)
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(depobj : of_a) shared(a) firstprivate(i)
            CHECK_EQ(a++, i);
        }
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
        b = a;
#pragma omp task depend(depobj : of_b) shared(b)
        CHECK_EQ(b, 100);
#pragma omp taskwait
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(depobj : first) shared(a)
            a++;
        }
#pragma omp task depend(depobj : first, second) shared(a, b)
        b += 5;
#pragma omp task depend(in : a, b) shared(a, b)
        {
            CHECK_EQ(a, 200);
            CHECK_EQ(b, 105);
        }
#pragma omp taskwait
#pragma omp depobj(of_b) update(inout)
        b = 0;
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(depobj : of_b) depend(in : a) shared(b) firstprivate(i)
            CHECK_EQ(b++, i);
        }
#pragma omp taskwait depend(depobj : of_b)
        CHECK_EQ(b, 100);
#pragma omp task depend(depobj : second) shared(b)
        b++;
#pragma omp task depend(in : b) shared(b)
        CHECK_EQ(b, 101);
    }
#pragma omp depobj(of_a) destroy
#pragma omp depobj(of_b) destroy
#pragma omp depobj(first) destroy
#pragma omp depobj(second) destroy
    return check_result();
}
