// Two named criticals, nested in opposite order.
//#Verdict:deadlock
//#Core:yes
//#Says:@INNER_IN
//#Says:@INNER_OUT
#include "planted.h"

static int sum;

int main(void)
{
#pragma omp parallel num_threads(2) //@REGION
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(out)
            {
                meet(2);
#pragma omp critical(in) //@INNER_IN
                sum++; //@INNER_IN
            }
        } else {
#pragma omp critical(in)
            {
                meet(2);
#pragma omp critical(out) //@INNER_OUT
                sum++; //@INNER_OUT
            }
        }
    }
    printf("%d\n", sum);
    return 0;
}
