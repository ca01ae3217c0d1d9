// Regions of which counters tell apart: one touches new pages, one only computes, and one is so
// short that most of its executions are only counted. Arguments: the number of pages that each
// thread touches.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, WORK = 20000, SHORT = 200000 };

static double compute(long steps, double value) {
    for (long step = 0; step < steps; step++)
        value = value * 1.0000001 + 0.1;
    return value;
}

int main(int argc, char **argv) {
    long pages = argc > 1 ? atol(argv[1]) : 5000;
    double sum = 0;
    char *memory = mmap(NULL, 2 * pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                        -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    // A page of its own for each fault.
    madvise(memory, 2 * pages * PAGE, MADV_NOHUGEPAGE);
#pragma omp parallel for num_threads(2) schedule(static) reduction(+ : sum)
    for (long page = 0; page < 2 * pages; page++) {
        memory[page * PAGE] = 1;
        sum += compute(WORK, 1);
    }
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += compute(pages * WORK, 2);
    for (int number = 0; number < SHORT; number++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum += compute(200, 3);
    }
    printf("%d\n", sum > 0);
    return 0;
}
