// A member ends its thread inside of the region, and the others wait for it.
//#Verdict:deadlock
//#Says:thread\s+2,\s+which\s+has\s+ended
#include "planted.h"
#include <pthread.h>

int main(void)
{
#pragma omp parallel num_threads(4) //@REGION
    {
        if (omp_get_thread_num() == 2)
            pthread_exit(NULL);
    }
    puts("over");
    return 0;
}
