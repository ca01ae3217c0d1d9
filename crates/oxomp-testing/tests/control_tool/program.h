/* What the programs share that control a tool. The file that includes this one defines `commands`.
 */
#include "tool.h"
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern int omp_control_tool_(const int *command, const int *modifier);

static int expected, wrong;

static void expect(int line, long long got, long long wanted) {
    if (got != wanted) {
        fprintf(stderr, "line %d: %lld, not %lld\n", line, got, wanted);
        wrong = 1;
    }
}
#define EXPECT(what, wanted) expect(__LINE__, (long long)(what), (long long)(wanted))

/* The function of the last call; its code is shorter than CODE bytes. */
static const char *begin;
enum { CODE = 200 };

/* Controls the tool with every kind of command. */
static void commands(void);

static void *on_foreign_thread(void *unused) {
    commands();
    return unused;
}

static void everywhere(void) {
    /* Nothing has called the runtime before. */
    commands();
#pragma omp parallel num_threads(2)
#pragma omp critical
    commands();
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        commands();
#pragma omp taskwait
    }
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp critical
    commands();
    pthread_t thread;
    pthread_create(&thread, NULL, on_foreign_thread, NULL);
    pthread_join(thread, NULL);
}
