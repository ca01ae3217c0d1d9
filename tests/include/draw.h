// A reproducible sequence of numbers (splitmix64): equal states draw equal numbers.
#ifndef DRAW_H
#define DRAW_H

static inline unsigned long draw(unsigned long *state)
{
    unsigned long z = *state += 0x9e3779b97f4a7c15ul;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
    return z ^ (z >> 31);
}

static inline int below(unsigned long *state, int bound)
{
    return (int)((draw(state) >> 11) % (unsigned long)bound);
}

#endif
