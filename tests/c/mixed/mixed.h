// What the two halves of the program know of each other.
#ifndef MIXED_H
#define MIXED_H

#include <omp.h>

int gcc_region(int size);
int gcc_thread_num(void);
long gcc_share_of_loop(int n);
int gcc_single(void);
void gcc_barrier(void);

extern int mixed_singles;

#endif
