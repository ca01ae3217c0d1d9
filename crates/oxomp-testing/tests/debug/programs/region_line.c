// gcc gives the call of the runtime the line of a statement around the construct; the function into
// which it outlines the construct has the construct's own.
//#Verdict:deadlock
//#Says:parallel region at @REGION in main, 2 threads
//#Says:thread 0 [^:]*@REGION in main: waits at the end of the parallel\s+region
#include "planted.h"

static omp_lock_t lock;

int main(int count, char **words)
{
    omp_init_lock(&lock);
    (void)words;
    if (count > 100)
        puts("many");
    else if (count > 0) {

#pragma omp parallel num_threads(2) //@REGION
        {
            if (omp_get_thread_num() == 1) {
                omp_set_lock(&lock);
                omp_set_lock(&lock);
            }
        }
    }
    puts("over");
    return 0;
}
