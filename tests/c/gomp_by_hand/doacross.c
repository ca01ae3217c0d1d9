// The calls of gcc's doacross loops: those for unsigned long long, the generic ones without a first
// chunk and with memory that the team shares, more words than registers, calls outside of a loop.
//#Compilers:gcc
//#Opt:-O0,-O2
//#Threads:1,2,4
//#ReferenceFails:libgomp's waits outside of a loop, and with no first chunk, are wrong
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long ull;

extern bool GOMP_loop_ull_doacross_static_start(unsigned, ull *, ull, ull *, ull *);
extern bool GOMP_loop_ull_doacross_dynamic_start(unsigned, ull *, ull, ull *, ull *);
extern bool GOMP_loop_ull_doacross_guided_start(unsigned, ull *, ull, ull *, ull *);
extern bool GOMP_loop_ull_doacross_runtime_start(unsigned, ull *, ull *, ull *);
extern bool GOMP_loop_ull_doacross_start(unsigned, ull *, long, ull, ull *, ull *, uintptr_t *,
                                         void **);
extern bool GOMP_loop_doacross_start(unsigned, long *, long, long, long *, long *, uintptr_t *,
                                     void **);
extern bool GOMP_loop_ull_dynamic_next(ull *, ull *);
extern bool GOMP_loop_dynamic_next(long *, long *);
extern void GOMP_loop_end(void);
extern void GOMP_loop_end_nowait(void);
extern void GOMP_doacross_post(long *);
extern void GOMP_doacross_wait(long, ...);
extern void GOMP_doacross_ull_post(ull *);
extern void GOMP_doacross_ull_wait(ull, ...);

#define N 60

static long sums[N];

static void chain(bool has_chunk, ull from, ull to)
{
    while (has_chunk) {
        for (ull i = from; i < to; i++) {
            if (i > 0)
                GOMP_doacross_ull_wait(i - 1);
            // Outside of the loop.
            GOMP_doacross_ull_wait((ull)N);
            GOMP_doacross_ull_wait(~0ULL);
            sums[i] = i == 0 ? 1 : sums[i - 1] + (long)i;
            GOMP_doacross_ull_post(&i);
        }
        has_chunk = GOMP_loop_ull_dynamic_next(&from, &to);
    }
    GOMP_loop_end();
}

static void check(void)
{
#pragma omp single
    {
        CHECK_EQ(sums[N - 1], 1 + N * (N - 1) / 2);
        for (int i = 0; i < N; i++)
            sums[i] = -1;
    }
}

// Rows of a nest of nine loops, in turn.
static void nine(void)
{
    long counts[9] = {6, 1, 2, 1, 1, 1, 1, 2, 3}, from = 0, to = 0;
    static int rounds;
    bool has_chunk = GOMP_loop_doacross_start(9, counts, 2, 1, &from, &to, NULL, NULL);
    while (has_chunk) {
        for (long i = from; i < to; i++)
            for (long c = 0; c < 2; c++)
                for (long h = 0; h < 2; h++)
                    for (long k = 0; k < 3; k++) {
                        long vector[9] = {i, 0, c, 0, 0, 0, 0, h, k};
                        if (i > 0)
                            GOMP_doacross_wait(i - 1, 0L, 1L, 0L, 0L, 0L, 0L, 1L, 2L);
                        // The eighth and the ninth word are outside.
                        GOMP_doacross_wait(i, 0L, c, 0L, 0L, 0L, 0L, 2L, 0L);
                        GOMP_doacross_wait(i, 0L, c, 0L, 0L, 0L, 0L, 0L, 3L);
                        CHECK_EQ(__atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED) % 72,
                                 ((i * 2 + c) * 2 + h) * 3 + k);
                        GOMP_doacross_post(vector);
                    }
        has_chunk = GOMP_loop_dynamic_next(&from, &to);
    }
    GOMP_loop_end();
}

int main(void)
{
    long nothing[1] = {0};
    GOMP_doacross_wait(0L);
    GOMP_doacross_post(nothing);
#pragma omp parallel
    {
        ull counts[1] = {N}, from = 0, to = 0;
        GOMP_doacross_wait(0L);
        GOMP_doacross_post(nothing);
        bool has_chunk = GOMP_loop_ull_doacross_static_start(1, counts, 0, &from, &to);
        chain(has_chunk, from, to);
        check();
        has_chunk = GOMP_loop_ull_doacross_static_start(1, counts, 1, &from, &to);
        chain(has_chunk, from, to);
        check();
        has_chunk = GOMP_loop_ull_doacross_dynamic_start(1, counts, 2, &from, &to);
        chain(has_chunk, from, to);
        check();
        has_chunk = GOMP_loop_ull_doacross_guided_start(1, counts, 1, &from, &to);
        chain(has_chunk, from, to);
        check();
        has_chunk = GOMP_loop_ull_doacross_runtime_start(1, counts, &from, &to);
        chain(has_chunk, from, to);
        check();
        // No first chunk, and memory: dynamic, monotonic or not, runtime, static and guided.
        for (long word = 0; word < 5; word++) {
            void *memory = (void *)64;
            CHECK(GOMP_loop_ull_doacross_start(1, counts, word | (word % 2 ? 0L : 1L << 31), 2, NULL,
                                               NULL, NULL, &memory));
            int *shared = memory;
            __atomic_fetch_add(shared, 1, __ATOMIC_RELAXED);
            has_chunk = GOMP_loop_ull_dynamic_next(&from, &to);
            while (has_chunk) {
                for (ull i = from; i < to; i++) {
                    if (i > 0)
                        GOMP_doacross_ull_wait(i - 1);
                    CHECK_EQ(__atomic_fetch_add(shared + 1, 1, __ATOMIC_RELAXED), i);
                    GOMP_doacross_ull_post(&i);
                }
                has_chunk = GOMP_loop_ull_dynamic_next(&from, &to);
            }
#pragma omp barrier
            CHECK_EQ(shared[0], omp_get_num_threads());
            CHECK_EQ(shared[1], N);
            GOMP_loop_end();
        }
        nine();
        nine();
        // Nothing to do.
        ull none[3] = {0, 99, 99};
        CHECK(!GOMP_loop_ull_doacross_dynamic_start(3, none, 1, &from, &to));
        GOMP_loop_end_nowait();
    }
    return check_result();
}
