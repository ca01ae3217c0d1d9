/* Work without calls, whose processor time the program measures itself. */
#ifndef BURN_H
#define BURN_H

#include "clock.h"

static volatile double burn_sink;

/* Executes so many steps. */
static inline void burn(long steps)
{
    double sum = 0;
    for (long step = 0; step < steps; step++)
        sum += (double)step * 0.5;
    burn_sink = sum;
}

/* Steps that take about so much processor time, in ms. */
static inline long burn_steps(long milliseconds)
{
    int64_t begin = cpu_ns();
    burn(5000000);
    int64_t taken = cpu_ns() - begin;
    return (long)(5000000.0 * (double)milliseconds * 1e6 / (double)taken);
}

#endif
