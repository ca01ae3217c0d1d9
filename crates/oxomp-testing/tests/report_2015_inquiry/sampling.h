/* How a program and the sampling tool, which may be a library of its own, meet. */
#include <stdatomic.h>

enum { SAMPLES = 20 };

/* Of the calling thread's samples in `state`. A program sets it to 0, and when it is SAMPLES so
 * many were taken. */
atomic_int *sample_counter(int state);
/* How many of the calling thread's samples are `expected`, as a line; others are printed. Frames
 * beyond the program's function `last` do not count. Stores the ids of three tasks, the innermost
 * first. */
int sample_texts(const char *last, const char *expected, unsigned long long *tasks);
/* Of all threads. */
long sample_total(void);
