// What the planted programs share: meetings of threads without OpenMP, so that nothing but the
// planted fault is seen, and so that the fault happens in every run.
#ifndef PLANTED_H
#define PLANTED_H

#include <omp.h>
#include <stdio.h>
#include <unistd.h>

// A program whose test has ended without ending it does not stay for ever.
__attribute__((constructor)) static void planted_end(void)
{
    alarm(600);
}

static int planted_arrived;

// Returns when `count` threads have called it.
static inline void meet(int count)
{
    __atomic_add_fetch(&planted_arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&planted_arrived, __ATOMIC_ACQUIRE) < count)
        usleep(1000);
}

// Computes for some seconds of the calling thread's time, and returns what it computed.
static inline double compute(double seconds)
{
    double begin = omp_get_wtime(), sum = 0;
    while (omp_get_wtime() - begin < seconds)
        for (int i = 1; i < 100000; i++)
            sum += 1.0 / i;
    return sum;
}

#endif
