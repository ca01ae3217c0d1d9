/* Phases with known contents: how many regions of which kind, how long serial code, who waits. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <omp.h>
#include <oxomp.h>

/* Computes for at least so long, nearly all of it outside of the kernel. */
static void work(double ms) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    double end = now.tv_sec * 1e3 + now.tv_nsec / 1e6 + ms;
    do {
        for (volatile int i = 0; i < 20000; i++) {}
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_sec * 1e3 + now.tv_nsec / 1e6 < end);
}

static void even(double ms) {
#pragma omp parallel num_threads(2)
    work(ms);
}

/* For a test in Python, of which this is a library. */
void even_for_python(void) {
    even(1);
}

static void uneven(void) {
#pragma omp parallel num_threads(2)
    work(omp_get_thread_num() == 0 ? 6 : 1);
}

static void tiny(void) {
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "steps";
    if (strcmp(kind, "steps") == 0) {
        even(2);
        for (int step = 0; step < 5; step++) {
            oxomp_phase_begin("step");
            oxomp_phase_begin("assemble");
            even(3);
            oxomp_phase_end();
            work(4);
            oxomp_phase_begin("solve");
            for (int i = 0; i < 4; i++) uneven();
            oxomp_phase_end();
            oxomp_phase_end();
            even(1);
        }
    } else if (strcmp(kind, "tiny") == 0) {
        for (int i = 0; i < 1000; i++) {
            oxomp_phase_begin("three");
            for (int j = 0; j < 3; j++) tiny();
            oxomp_phase_end();
            for (int j = 0; j < 20; j++) tiny();
        }
    } else if (strcmp(kind, "names") == 0) {
        oxomp_phase_end();
        oxomp_phase_begin("kept");
        oxomp_phase_begin("");
        oxomp_phase_begin((const char *)8);
        oxomp_phase_begin("not shown");
        for (int i = 0; i < 3; i++) oxomp_phase_end();
        tiny();
        oxomp_phase_end();
        for (int i = 0; i < 100; i++) {
            char name[600];
            memset(name, 'a' + i % 26, sizeof name);
            name[i == 99 ? 599 : 2 + i / 26] = 0;
            oxomp_phase_begin(name);
            tiny();
            oxomp_phase_end();
        }
        for (int i = 0; i < 100; i++) oxomp_phase_begin("deeper");
        tiny();
        for (int i = 0; i < 100; i++) oxomp_phase_end();
        oxomp_phase_begin("never\nended");
        even(20);
    } else if (strcmp(kind, "killed") == 0) {
        oxomp_phase_begin("before");
        even(10);
        oxomp_phase_end();
        oxomp_phase_begin("death");
        even(30);
        _Exit(3);
    } else {
        /* In every thread at once. */
#pragma omp parallel num_threads(4)
        for (int i = 0; i < 200; i++) {
            oxomp_phase_begin(i % 2 ? "odd" : "even");
#pragma omp barrier
            oxomp_phase_end();
        }
        even(5);
    }
    return 0;
}
