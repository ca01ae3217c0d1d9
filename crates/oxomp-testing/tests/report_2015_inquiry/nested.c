/* The program of the report's appendix B, figure 1: code A of the initial task encounters the
 * region "b"; thread 1 executes code B of it, and so does thread 2, which encounters the region
 * "c", of which it executes code C. Each spins in its code until the tool (sampling_tool.c) has its
 * samples, of which each must be the figure's stack, with the figure's records. Another thread is
 * sampled while it waits in a barrier. */
#define _GNU_SOURCE
#include "sampling.h"
#include <dlfcn.h>
#include <omp.h>
#include <ompt.h>
#include <sched.h>
#include <stdio.h>

/* A function with a symbol and a frame of its own, whose calls are no jumps. */
#define CODE __attribute__((noinline, visibility("default")))
#define NO_JUMP __asm__ volatile("" ::: "memory")

/* The records of each thread, the innermost first, by what is set (x exit, r reenter), and its
 * frames. In the figure thread 2 has r4, r3, r1 and the frames f12, f9 to f11, f8, f7 and idle;
 * thread 1 has r2, r1 and f5, f2 to f4, f1. The function that a compiler makes of a region is a
 * frame, too. */
static const char THREAD_1[] = "x- -r: B outlined par A";
static const char THREAD_2[] = "x- xr -r: C outlined par B outlined par";
/* The other thread of "c", which the figure does not show. */
static const char INNER_WORKER[] = "x- xr -r: C outlined par";

/* A thread that waits in a barrier: its innermost frames are the runtime's. */
static const char IN_BARRIER[] = "xr -r: par W outlined par V";

static int failures;
static unsigned long long ids[3][3];
static atomic_int sampled;
static atomic_int *(*counter)(int);
static int (*texts)(const char *, const char *, unsigned long long *);
static long (*total)(void);

/* No call within. */
#define SPIN(samples)                                                                              \
    do {                                                                                           \
        atomic_store(samples, 0);                                                                  \
        while (atomic_load(samples) < SAMPLES)                                                     \
            NO_JUMP;                                                                               \
    } while (0)

static void check(int thread, const char *last, const char *expected) {
#pragma omp critical
    if (texts(last, expected, ids[thread]) != SAMPLES)
        failures++;
    atomic_fetch_add(&sampled, 1);
}

CODE void C(void);
CODE void B(void);
CODE void A(void);

void C(void) {
    atomic_int *samples = counter(ompt_state_work_parallel);
    SPIN(samples);
    if (omp_get_thread_num() == 0)
        check(1, "A", THREAD_2);
    else
        check(2, "A", INNER_WORKER);
    NO_JUMP;
}

void B(void) {
    if (omp_get_thread_num() == 0) {
        atomic_int *samples = counter(ompt_state_work_parallel);
        SPIN(samples);
        check(0, "A", THREAD_1);
    } else {
#pragma omp parallel num_threads(2)
        {
            C();
            NO_JUMP;
        }
    }
    NO_JUMP;
}

void A(void) {
#pragma omp parallel num_threads(2)
    {
        B();
        NO_JUMP;
    }
    NO_JUMP;
}

CODE void W(void);
CODE void V(void);

/* The other thread comes to the barrier when this one has been sampled in it. */
void W(void) {
    static atomic_int *_Atomic samples;
    if (omp_get_thread_num() == 0) {
        atomic_int *own = counter(ompt_state_wait_barrier_explicit);
        atomic_store(own, 0);
        atomic_store(&samples, own);
    } else {
        while (!atomic_load(&samples) || atomic_load(atomic_load(&samples)) < SAMPLES)
            sched_yield();
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
        atomic_store(&samples, NULL);
        check(0, "V", IN_BARRIER);
    }
    NO_JUMP;
}

void V(void) {
#pragma omp parallel num_threads(2)
    {
        W();
        NO_JUMP;
    }
    NO_JUMP;
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    omp_get_max_threads();
    counter = (atomic_int * (*)(int)) dlsym(RTLD_DEFAULT, "sample_counter");
    texts = (int (*)(const char *, const char *, unsigned long long *))dlsym(RTLD_DEFAULT,
                                                                            "sample_texts");
    total = (long (*)(void))dlsym(RTLD_DEFAULT, "sample_total");
    for (int round = 0; round < 5; round++) {
        A();
        /* r1 is the same task on all; r3 that of thread 2 and of the worker of "c"; the current
           tasks differ. */
        if (ids[0][1] != ids[1][2] || ids[0][1] != ids[2][2] || ids[1][1] != ids[2][1] ||
            ids[0][0] == ids[1][0] || ids[0][0] == ids[1][1] || ids[1][0] == ids[2][0])
            failures++;
        V();
    }
    printf("threads=%d failures=%d samples=%s\n", sampled, failures,
           total() >= 20 * SAMPLES ? "enough" : "few");
    return 0;
}
