/* The work of the planted programs: arithmetic that no compiler can shorten. */
#ifndef BURN_H
#define BURN_H

/* Works for `rounds` times a few nanoseconds. */
static inline double burn(double value, long rounds)
{
    for (long round = 0; round < rounds; round++)
        value = value * 0.999 + 0.5;
    return value;
}

#endif
