// A point of the program at which the recorder notes the thread's state, tasks and regions.
#ifndef OXOMP_PROBE_H
#define OXOMP_PROBE_H

#include <omp.h>
#include <stddef.h>

#ifndef __clang__
// libgomp has no such routine: the program must link against it and find the runtime's at run time.
int omp_control_tool(int command, int modifier, void *argument) __attribute__((weak));
#endif

// Commands from 64 on are probes; the number tells them apart. Answers 0.
#define PROBE(number) omp_control_tool(64, number, NULL)

#endif
