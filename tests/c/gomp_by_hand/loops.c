// Loops of every schedule as compiled code asks for them, compilers old and new: each iteration
// once, in order where the schedule says so, with and without a barrier at the end.
//#Compilers:gcc
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static|static,3|dynamic|guided,2|nonmonotonic:dynamic,4
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdbool.h>
#include <string.h>

typedef unsigned long long ull;

extern void GOMP_loop_end(void);
extern void GOMP_loop_end_nowait(void);
extern void GOMP_ordered_start(void);
extern void GOMP_ordered_end(void);

#define CHUNKED(name)                                                                              \
    extern bool GOMP_loop_##name##_start(long, long, long, long, long *, long *);                  \
    extern bool GOMP_loop_##name##_next(long *, long *);
#define BY_ICV(name)                                                                               \
    extern bool GOMP_loop_##name##_start(long, long, long, long *, long *);                        \
    extern bool GOMP_loop_##name##_next(long *, long *);
#define CHUNKED_ULL(name)                                                                          \
    extern bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull, ull *, ull *);              \
    extern bool GOMP_loop_ull_##name##_next(ull *, ull *);
#define BY_ICV_ULL(name)                                                                           \
    extern bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull *, ull *);                   \
    extern bool GOMP_loop_ull_##name##_next(ull *, ull *);

#define EACH_CHUNKED(use)                                                                          \
    use(static, 0) use(dynamic, 0) use(guided, 0) use(nonmonotonic_dynamic, 0)                     \
    use(nonmonotonic_guided, 0) use(ordered_static, 1) use(ordered_dynamic, 1)                     \
    use(ordered_guided, 1)
#define EACH_BY_ICV(use)                                                                           \
    use(runtime, 0) use(maybe_nonmonotonic_runtime, 0) use(nonmonotonic_runtime, 0)                \
    use(ordered_runtime, 1)

#define DECLARE(name, is_ordered) CHUNKED(name) CHUNKED_ULL(name)
EACH_CHUNKED(DECLARE)
#undef DECLARE
#define DECLARE(name, is_ordered) BY_ICV(name) BY_ICV_ULL(name)
EACH_BY_ICV(DECLARE)

enum { MOST = 400 };

// What a loop has done: how often each iteration ran, and in which order.
static int times[MOST], order[MOST], done;

static void iteration(ull number, bool is_ordered)
{
    if (number >= MOST) {
        CHECK(number < MOST);
        return;
    }
#pragma omp atomic
    times[number]++;
    if (is_ordered) {
        GOMP_ordered_start();
        order[done++] = (int)number;
        GOMP_ordered_end();
    }
}

// After a barrier: everything has run once.
static void judge(int wanted, bool is_ordered, const char *loop)
{
#pragma omp barrier
#pragma omp single
    {
        int wrong = 0;
        for (int i = 0; i < MOST; i++)
            wrong += times[i] != (i < wanted);
        if (wrong) {
            fprintf(stderr, "%s: %d of %d iterations did not run once\n", loop, wanted, wrong);
            CHECK(!wrong);
        }
        if (is_ordered)
            for (int i = 0; i < wanted; i++)
                CHECK_EQ(order[i], i);
        memset(times, 0, sizeof times);
        done = 0;
    }
}

#define COUNT(first, bound, step) ((step) > 0 ? ((bound) - (first) + (step) - 1) / (step)          \
                                              : ((first) - (bound) - (step) - 1) / -(step))

// The loop itself; START has the arguments in front of the two that say what to do.
#define RUN(type, start, next, number, step, is_ordered)                                           \
    {                                                                                              \
        type from, to;                                                                             \
        if (start)                                                                                 \
            do                                                                                     \
                for (type i = from; (step) > 0 ? i < to : i > to; i += (type)(step))               \
                    iteration((ull)(number), is_ordered);                                          \
            while (next(&from, &to));                                                              \
    }

#define SIGNED(call, first, bound, step, is_ordered, name)                                         \
    {                                                                                              \
        RUN(long, call, GOMP_loop_##name##_next, (i - (first)) / (step), step, is_ordered)         \
        END(COUNT(first, bound, step), is_ordered, name)                                           \
    }
#define UNSIGNED(call, first, bound, step, is_ordered, name)                                       \
    RUN(ull, call, GOMP_loop_ull_##name##_next,                                                    \
        (step) > 0 ? (i - (first)) / (ull)(step) : ((first) - i) / (ull) - (step), step,           \
        is_ordered)                                                                                \
    END(COUNT(first, bound, step), is_ordered, name)
#define END(wanted, is_ordered, name)                                                              \
    if (round % 2)                                                                                 \
        GOMP_loop_end();                                                                           \
    else                                                                                           \
        GOMP_loop_end_nowait();                                                                    \
    judge((int)(wanted), is_ordered, #name);

#define SIGNED_CHUNKED(name, is_ordered)                                                           \
    for (long chunk = 1; chunk <= 7; chunk += 3) {                                                 \
        SIGNED(GOMP_loop_##name##_start(-7, 300, 2, chunk, &from, &to), -7L, 300L, 2L, is_ordered, \
               name)                                                                               \
        SIGNED(GOMP_loop_##name##_start(99, -1, -1, chunk, &from, &to), 99L, -1L, -1L, is_ordered, \
               name)                                                                               \
        /* libgomp loses count of its turns in an ordered loop of no iterations. */                \
        if (!is_ordered)                                                                           \
            SIGNED(GOMP_loop_##name##_start(0, 0, 1, chunk, &from, &to), 0L, 0L, 1L, 0, name)      \
    }
#define SIGNED_BY_ICV(name, is_ordered)                                                            \
    SIGNED(GOMP_loop_##name##_start(3, 300, 3, &from, &to), 3L, 300L, 3L, is_ordered, name)        \
    SIGNED(GOMP_loop_##name##_start(50, 1, -5, &from, &to), 50L, 1L, -5L, is_ordered, name)
// Beyond what a signed integer can hold.
#define HIGH 0xfffffffffffff000ull
#define UNSIGNED_CHUNKED(name, is_ordered)                                                         \
    for (ull chunk = 1; chunk <= 7; chunk += 3) {                                                  \
        UNSIGNED(GOMP_loop_ull_##name##_start(true, HIGH, HIGH + 350, 1, chunk, &from, &to), HIGH, \
                 HIGH + 350, 1LL, is_ordered, name)                                                \
        UNSIGNED(GOMP_loop_ull_##name##_start(false, HIGH, HIGH - 300, -3ull, chunk, &from, &to),  \
                 HIGH, HIGH - 300, -3LL, is_ordered, name)                                         \
    }
#define UNSIGNED_BY_ICV(name, is_ordered)                                                          \
    UNSIGNED(GOMP_loop_ull_##name##_start(true, HIGH, HIGH + 350, 7, &from, &to), HIGH,            \
             HIGH + 350, 7LL, is_ordered, name)                                                    \
    UNSIGNED(GOMP_loop_ull_##name##_start(false, 200, 0, -1ull, &from, &to), 200ull, 0ull, -1LL,   \
             is_ordered, name)

int main(void)
{
#pragma omp parallel
    for (int round = 0; round < 2; round++) {
        EACH_CHUNKED(SIGNED_CHUNKED)
        EACH_BY_ICV(SIGNED_BY_ICV)
        EACH_CHUNKED(UNSIGNED_CHUNKED)
        EACH_BY_ICV(UNSIGNED_BY_ICV)
    }
    return check_result();
}
