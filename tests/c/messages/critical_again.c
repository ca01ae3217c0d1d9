// A critical region entered again by the same thread under the same name: one line, and the thread waits.
//#Flags:-g
//#Opt:-O0
//#Env:OMP_NUM_THREADS=2
//#Status:7
//#Stderr:^OMP: Warning: again\+0x[0-9a-f]+ \(\S+\): critical: the calling thread is in a region of that name already; it waits for itself\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:the reference says nothing
#include "fixed_addresses.h"
#include <signal.h>
#include <stdlib.h>

static void enough(int signal)
{
    (void)signal;
    _exit(7);
}

static void again(void)
{
#pragma omp critical(name)
    exit(1);
}

int main(void)
{
    signal(SIGALRM, enough);
    alarm(8);
#pragma omp parallel
    {
#pragma omp single nowait
        {
#pragma omp critical(name)
            again();
        }
    }
    return 0;
}
