// What the two halves of the program of tasks know of each other.
#ifndef TASKS_H
#define TASKS_H

#include <omp.h>

// Tasks of gcc's code, children of the task that calls.
void gcc_next(int *value, int wanted);
void gcc_exclusive(int *value);
void gcc_fulfils(omp_event_handle_t event);
void gcc_loop(int *counts, int iterations);
void gcc_tree(int *leaves, int depth);
void gcc_adds(int what);
void gcc_taskwait(void);

// Of clang's.
void clang_tree(int *leaves, int depth);

// What tasks of both reduce to.
extern long mixed_sum;

#endif
