// The first iteration of a doacross loop posts nothing, and the others wait for it.
//#Verdict:deadlock
//#Says:@SINK
#include "planted.h"

int main(void)
{
    int sum = 0;
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1) //@SINK
        sum += i; //@SINK
        if (i > 0) {
#pragma omp ordered depend(source)
        }
    }
    printf("%d\n", sum);
    return 0;
}
