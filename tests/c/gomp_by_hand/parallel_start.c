// Regions in the form of gcc before 4.9: a call starts the team, the caller works along, another
// call joins it. The combined ones begin with a loop or sections; one more that gcc 12 does not
// emit.
//#Compilers:gcc
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static|dynamic,3|guided
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdbool.h>
#include <string.h>

typedef void body(void *);

extern void GOMP_parallel_start(body *, void *, unsigned);
extern void GOMP_parallel_end(void);
extern void GOMP_parallel_loop_static_start(body *, void *, unsigned, long, long, long, long);
extern void GOMP_parallel_loop_dynamic_start(body *, void *, unsigned, long, long, long, long);
extern void GOMP_parallel_loop_guided_start(body *, void *, unsigned, long, long, long, long);
extern void GOMP_parallel_loop_runtime_start(body *, void *, unsigned, long, long, long);
extern void GOMP_parallel_loop_nonmonotonic_runtime(body *, void *, unsigned, long, long, long,
                                                    unsigned);
extern bool GOMP_loop_nonmonotonic_runtime_next(long *, long *);
extern bool GOMP_loop_static_next(long *, long *);
extern bool GOMP_loop_dynamic_next(long *, long *);
extern bool GOMP_loop_guided_next(long *, long *);
extern bool GOMP_loop_runtime_next(long *, long *);
extern void GOMP_loop_end_nowait(void);
extern void GOMP_parallel_sections_start(body *, void *, unsigned, unsigned);
extern unsigned GOMP_sections_next(void);
extern void GOMP_sections_end_nowait(void);

enum { N = 300 };

struct Work {
    int members, wanted;
    bool (*next)(long *, long *);
    int times[N];
};

static void join_in(void *data)
{
    struct Work *work = data;
    CHECK_EQ(omp_get_num_threads(), work->wanted);
    CHECK(omp_get_thread_num() < work->wanted);
#pragma omp atomic
    work->members++;
#pragma omp barrier
    CHECK_EQ(work->members, work->wanted);
}

static void loop(void *data)
{
    struct Work *work = data;
    long from, to;
    // Counts down from N - 1.
    while (work->next(&from, &to))
        for (long i = from; i > to; i--) {
#pragma omp atomic
            work->times[i]++;
        }
    GOMP_loop_end_nowait();
    join_in(work);
}

static void sections(void *data)
{
    struct Work *work = data;
    for (unsigned section = GOMP_sections_next(); section != 0; section = GOMP_sections_next()) {
        CHECK(section <= 20);
#pragma omp atomic
        work->times[section]++;
    }
    GOMP_sections_end_nowait();
    join_in(work);
}

// The caller's part of a region, and its end.
static void finish(body *function, struct Work *work)
{
    function(work);
    GOMP_parallel_end();
    CHECK_EQ(work->members, work->wanted);
    CHECK_EQ(omp_get_level(), 0);
}

static void check_times(const struct Work *work)
{
    for (int i = 0; i < N; i++)
        CHECK_EQ(work->times[i], 1);
}

static void check_loop(struct Work *work)
{
    finish(loop, work);
    check_times(work);
}

// A region inside of each thread of a region.
static void outer(void *data)
{
    struct Work inner = {.wanted = 2};
    GOMP_parallel_start(join_in, &inner, 2);
    CHECK_EQ(omp_get_level(), 2);
    join_in(&inner);
    GOMP_parallel_end();
    CHECK_EQ(inner.members, 2);
    join_in(data);
}

int main(void)
{
    int most = omp_get_max_threads();
    omp_set_max_active_levels(2);
    for (int round = 0; round < 20; round++)
        for (unsigned asked = 0; asked <= 3; asked++) {
            int wanted = asked ? (int)asked : most;
            struct Work plain = {.wanted = wanted};
            GOMP_parallel_start(join_in, &plain, asked);
            finish(join_in, &plain);

            struct Work in_static = {.wanted = wanted, .next = GOMP_loop_static_next};
            GOMP_parallel_loop_static_start(loop, &in_static, asked, N - 1, -1, -1, 7);
            check_loop(&in_static);
            struct Work in_dynamic = {.wanted = wanted, .next = GOMP_loop_dynamic_next};
            GOMP_parallel_loop_dynamic_start(loop, &in_dynamic, asked, N - 1, -1, -1, 5);
            check_loop(&in_dynamic);
            struct Work in_guided = {.wanted = wanted, .next = GOMP_loop_guided_next};
            GOMP_parallel_loop_guided_start(loop, &in_guided, asked, N - 1, -1, -1, 2);
            check_loop(&in_guided);
            struct Work in_runtime = {.wanted = wanted, .next = GOMP_loop_runtime_next};
            GOMP_parallel_loop_runtime_start(loop, &in_runtime, asked, N - 1, -1, -1);
            check_loop(&in_runtime);

            struct Work whole = {.wanted = wanted, .next = GOMP_loop_nonmonotonic_runtime_next};
            GOMP_parallel_loop_nonmonotonic_runtime(loop, &whole, asked, N - 1, -1, -1, 0);
            CHECK_EQ(whole.members, wanted);
            check_times(&whole);

            struct Work in_sections = {.wanted = wanted};
            GOMP_parallel_sections_start(sections, &in_sections, asked, 20);
            finish(sections, &in_sections);
            for (int i = 1; i <= 20; i++)
                CHECK_EQ(in_sections.times[i], 1);

            struct Work around = {.wanted = wanted};
            GOMP_parallel_start(outer, &around, asked);
            finish(outer, &around);
        }
    return check_result();
}
