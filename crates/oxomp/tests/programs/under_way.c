/* Stays in one parallel region until SIGTERM, or for a while. Argument: the way. */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t stop;

static void on_signal(int signal) {
    (void)signal;
    stop = 1;
}

/* Takes as long where other programs have the processors. */
static void work(int milliseconds) {
    const struct timespec time = {0, milliseconds * 1000000L};
    nanosleep(&time, NULL);
}

/* What the threads of a team do until the end: in each loop thread 0 takes three times as long as
 * thread 1, which then waits 8 of 12 ms. */
static void loops(double end) {
    static int go[3] = {1, 1, 1};
    int *mine = &go[omp_get_level() == 2 ? 1 + omp_get_ancestor_thread_num(1) : 0];
    while (*mine) {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++)
            work(i == 0 ? 12 : 4);
#pragma omp single
        *mine = !stop && (end == 0 || omp_get_wtime() < end);
    }
}

static void imbalance(double end) {
#pragma omp parallel num_threads(2)
    loops(end);
}

/* One thread creates tasks and waits for them, the other one executes them at a barrier. */
static void tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    while (!stop) {
        for (int i = 0; i < 10; i++) {
#pragma omp task
            work(4);
        }
#pragma omp taskwait
    }
}

/* Each thread of the outer region is in a region of its own. */
static void nested(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        loops(0);
        /* So that the inner region is no jump, which has no place of its own. */
        work(1);
    }
}

/* A mutex is held all the time, and the region ends while it is recorded; others follow. */
static void ends(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    double end = omp_get_wtime() + 3;
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        omp_set_lock(&lock);
        loops(end);
#pragma omp master
        omp_unset_lock(&lock);
    }
    while (!stop) {
#pragma omp parallel num_threads(2)
        work(5);
    }
    omp_destroy_lock(&lock);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    signal(SIGTERM, on_signal);
    printf("ready\n");
    fflush(stdout);
    if (strcmp(way, "tasks") == 0)
        tasks();
    else if (strcmp(way, "nested") == 0)
        nested();
    else if (strcmp(way, "ends") == 0)
        ends();
    else
        imbalance(0);
    printf("wrong 0\n");
    return 0;
}
