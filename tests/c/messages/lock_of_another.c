// With KMP_CONSISTENCY_CHECK a lock given back by another thread ends the program, and so does one that a
// thread sets twice; without, the runtime does not look.
//#Flags:-g -fno-inline
//#Opt:-O0,-O2
//#Env:OMP_NUM_THREADS=2
//#Env:KMP_CONSISTENCY_CHECK=ALL
//#Vary:LOCK=simple|nest|twice
//#Status:1
//#Stderr:^OMP: Error: (give_back_of_another\+0x[0-9a-f]+ \(\S+\): omp_unset(_nest)?_lock: another thread holds the lock|main\+0x[0-9a-f]+ \(\S+\): omp_set_lock: the calling thread holds the lock already)\n$
//#NotRecorded:the program ends inside a region
//#ReferenceFails:libgomp has no check, libomp another text
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;

static void give_back_of_another(int is_nest)
{
    if (is_nest)
        omp_unset_nest_lock(&nest);
    else
        omp_unset_lock(&lock);
    __asm__ volatile("");
}

int main(void)
{
    const char *which = getenv("LOCK");
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_set_lock(&lock);
    omp_set_nest_lock(&nest);
    if (!strcmp(which, "twice"))
        omp_set_lock(&lock);
#pragma omp parallel
    if (omp_get_thread_num() == 1)
        give_back_of_another(!strcmp(which, "nest"));
    return 0;
}
