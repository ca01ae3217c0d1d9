// The schedule words of loops of vectors, as Intel's compilers pass them: pieces are multiples of
// the vector, the last one excepted.
//#Compilers:clang
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static|static,2|dynamic|dynamic,3|guided|guided,2|auto
//#NoStderr
#include "check.h"
#include <omp.h>

enum { VECTOR = 4, N = 1000, BALANCED = 45, GUIDED = 46, RUNTIME = 47 };

int __kmpc_global_thread_num(void *location);
void __kmpc_dispatch_init_4(void *location, int thread, int schedule, int lower, int upper,
                            int step, int chunk);
int __kmpc_dispatch_next_4(void *location, int thread, int *last, int *lower, int *upper,
                           int *step);

int main(void)
{
    static const int schedules[] = {BALANCED, GUIDED, RUNTIME};
    for (int which = 0; which < 3; which++)
        for (int count = 1; count <= N; count = count * 2 + 1) {
            static int times[N];
            int lasts = 0;
            for (int i = 0; i < N; i++)
                times[i] = 0;
#pragma omp parallel reduction(+ : lasts)
            {
                int thread = __kmpc_global_thread_num(NULL), last, lower, upper, step;
                __kmpc_dispatch_init_4(NULL, thread, schedules[which], 0, count - 1, 1, VECTOR);
                while (__kmpc_dispatch_next_4(NULL, thread, &last, &lower, &upper, &step)) {
                    CHECK_EQ(last, upper == count - 1);
                    CHECK(last || (upper - lower + 1) % VECTOR == 0);
                    lasts += last;
                    for (int i = lower; i <= upper; i++) {
#pragma omp atomic
                        times[i]++;
                    }
                }
            }
            CHECK_EQ(lasts, 1);
            for (int i = 0; i < N; i++)
                CHECK_EQ(times[i], i < count);
        }
    return check_result();
}
