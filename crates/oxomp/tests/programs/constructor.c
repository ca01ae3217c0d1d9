/* A library whose constructor has regions for three seconds. */
#include <time.h>

static double sum;

__attribute__((constructor)) static void regions(void) {
    time_t end = time(NULL) + 3;
    while (time(NULL) < end) {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
        for (int i = 0; i < 1000; i++)
            sum += i;
    }
}
