// A thread sets a lock that it holds already.
//#Verdict:deadlock
//#Says:@AGAIN
#include "planted.h"

static omp_lock_t lock;

int main(void)
{
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_set_lock(&lock); //@AGAIN
    omp_unset_lock(&lock);
    puts("over");
    return 0;
}
