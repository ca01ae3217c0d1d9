// An iteration never comes to its ordered region: it wants a lock, and its holder waits for its turn.
//#Verdict:deadlock
//#Says:@WANTS
//#Says:@TURN
#include "planted.h"

static omp_lock_t lock;

int main(void)
{
    omp_init_lock(&lock);
    int sum = 0;
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            omp_set_lock(&lock);
        meet(2);
        // gcc gives the call of the directive the line of this condition.
        if (i == 0) //@TURN
            omp_set_lock(&lock); //@WANTS
#pragma omp ordered //@TURN
        sum += i; //@TURN
        omp_unset_lock(&lock);
    }
    printf("%d\n", sum);
    return 0;
}
