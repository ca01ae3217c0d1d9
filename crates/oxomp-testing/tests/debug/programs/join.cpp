// The main thread waits inside of a critical for the end of a thread that wants the critical.
//#Verdict:deadlock
//#Says:waits\s+for\s+the\s+end\s+of\s+thread[^;]*@JOIN\s+\(pthread_join\)
//#Says:waits\s+for\s+critical\(results\)\s+at\s+@WAIT,\s+which
#include "planted.h"
#include <thread>

static int results;

static void work()
{
    meet(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(results) //@WAIT
        results++;
    }
}

int main()
{
    std::thread worker(work);
#pragma omp critical(results)
    {
        meet(2);
        worker.join(); //@JOIN
    }
    puts("over");
    return 0;
}
