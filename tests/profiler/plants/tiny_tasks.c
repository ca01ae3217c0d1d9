/* A task for each element: creating and scheduling it takes longer than its work. */
//#Says:tasks of
//#Says:times as much in each
//#Repair:a task for each 500 elements
#include "burn.h"

enum { ELEMENTS = 500000 };

#ifdef REPAIRED
enum { GRAIN = 500 };
#else
enum { GRAIN = 1 };
#endif

static double elements[ELEMENTS];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int first = 0; first < ELEMENTS; first += GRAIN) {
#pragma omp task firstprivate(first) // PLANT
        for (int i = first; i < first + GRAIN; i++)
            elements[i] = burn(i, 10);
    }
    return elements[1] > 0 ? 0 : 1;
}
