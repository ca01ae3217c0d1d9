/* Iterations far shorter than handing one out, in chunks of one. With REPAIRED the chunks are
 * large. */
#include "clock.h"

enum { ITERATIONS = 1500000 };

#ifdef REPAIRED
#define CHUNK 10000
#else
#define CHUNK 1
#endif

static unsigned char values[ITERATIONS];

int main(void)
{
#pragma omp parallel for schedule(dynamic, CHUNK) num_threads(2)
    for (int i = 0; i < ITERATIONS; i++)
        values[i] = (unsigned char)i;
    print_fact("last", values[ITERATIONS - 1]);
    return 0;
}
