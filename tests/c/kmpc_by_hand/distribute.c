// The combined calls for loops of a league: each iteration belongs to one thread of one team.
//#Compilers:clang
//#Threads:1,3
//#ReferenceFails:libomp makes no more teams than there are processors
//#NoStderr
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

extern int __kmpc_global_thread_num(void *);
extern void __kmpc_push_num_teams_51(void *, int, int, int, int);

#define DECLARE(bits, type, signed_type)                                                           \
    extern void __kmpc_team_static_init_##bits(void *, int, int *, type *, type *, signed_type *,  \
                                               signed_type, signed_type);                          \
    extern void __kmpc_dist_for_static_init_##bits(void *, int, int, int *, type *, type *,        \
                                                   type *, signed_type *, signed_type,             \
                                                   signed_type);                                   \
    extern void __kmpc_dist_dispatch_init_##bits(void *, int, int, int *, type, type, signed_type, \
                                                 signed_type);                                     \
    extern int __kmpc_dispatch_next_##bits(void *, int, int *, type *, type *, signed_type *);
DECLARE(4, int32_t, int32_t)
DECLARE(4u, uint32_t, int32_t)
DECLARE(8, int64_t, int64_t)
DECLARE(8u, uint64_t, int64_t)
extern void __kmpc_for_static_fini(void *, int);

enum { CHUNKED = 33, STATIC = 34, DYNAMIC = 35, MOST = 100 };

static struct {
    int32_t words[4];
    const char *source;
} loop = {{0, 0x202, 0, 0}, ";unknown;unknown;0;0;;"};

static int hits[MOST], lasts;

static void check(int length)
{
    int wrong = 0;
    for (int i = 0; i < MOST; i++)
        wrong += hits[i] != (i < length);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(lasts, length > 0);
    memset(hits, 0, sizeof hits);
    lasts = 0;
}

static void hit(int64_t i)
{
    CHECK(i >= 0 && i < MOST);
    __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
}

#define FORMS(bits, type, signed_type)                                                             \
    static void by_team_##bits(int teams, int length, int chunk)                                   \
    {                                                                                              \
        _Pragma("omp teams num_teams(teams)")                                                      \
        {                                                                                          \
            int gtid = __kmpc_global_thread_num(&loop), last = 0;                                  \
            type lower = 1, upper = (type)length;                                                  \
            signed_type stride = 1;                                                                \
            __kmpc_team_static_init_##bits(&loop, gtid, &last, &lower, &upper, &stride, 1, chunk); \
            for (; lower <= upper && lower <= (type)length; lower += stride, upper += stride)      \
                for (type i = lower; i <= upper && i <= (type)length; i++)                         \
                    hit((int64_t)i - 1);                                                           \
            __atomic_fetch_add(&lasts, last, __ATOMIC_RELAXED);                                    \
        }                                                                                          \
        check(length);                                                                             \
    }                                                                                              \
                                                                                                   \
    static void by_thread_##bits(int teams, int length, int kind, int chunk)                       \
    {                                                                                              \
        _Pragma("omp teams num_teams(teams)") _Pragma("omp parallel")                              \
        {                                                                                          \
            int gtid = __kmpc_global_thread_num(&loop), last = 0;                                  \
            type lower = 1, upper = (type)length, end = 0;                                         \
            signed_type stride = 1;                                                                \
            __kmpc_dist_for_static_init_##bits(&loop, gtid, kind, &last, &lower, &upper, &end,     \
                                               &stride, 1, chunk);                                 \
            for (; lower <= upper && lower <= end; lower += stride, upper += stride) {             \
                for (type i = lower; i <= upper && i <= end; i++)                                  \
                    hit((int64_t)i - 1);                                                           \
                if (kind == STATIC)                                                                \
                    break;                                                                         \
            }                                                                                      \
            __atomic_fetch_add(&lasts, last, __ATOMIC_RELAXED);                                    \
            __kmpc_for_static_fini(&loop, gtid);                                                   \
        }                                                                                          \
        check(length);                                                                             \
    }                                                                                              \
                                                                                                   \
    static void by_chunk_##bits(int teams, int length, int chunk)                                  \
    {                                                                                              \
        _Pragma("omp teams num_teams(teams)") _Pragma("omp parallel")                              \
        {                                                                                          \
            int gtid = __kmpc_global_thread_num(&loop), last = 0, of_team = 0;                     \
            type lower, upper;                                                                     \
            signed_type stride;                                                                    \
            __kmpc_dist_dispatch_init_##bits(&loop, gtid, DYNAMIC, &of_team, 1, (type)length, 1,   \
                                             chunk);                                               \
            while (__kmpc_dispatch_next_##bits(&loop, gtid, &last, &lower, &upper, &stride)) {     \
                for (type i = lower; i <= upper; i++)                                              \
                    hit((int64_t)i - 1);                                                           \
                if (last && of_team)                                                               \
                    __atomic_fetch_add(&lasts, 1, __ATOMIC_RELAXED);                               \
            }                                                                                      \
        }                                                                                          \
        check(length);                                                                             \
    }                                                                                              \
                                                                                                   \
    static void forms_##bits(int teams, int length)                                                \
    {                                                                                              \
        by_team_##bits(teams, length, 1);                                                          \
        by_team_##bits(teams, length, 4);                                                          \
        by_thread_##bits(teams, length, STATIC, 0);                                                \
        by_thread_##bits(teams, length, CHUNKED, 1);                                               \
        by_thread_##bits(teams, length, CHUNKED, 5);                                               \
        by_chunk_##bits(teams, length, 1);                                                         \
        by_chunk_##bits(teams, length, 3);                                                         \
    }
FORMS(4, int32_t, int32_t)
FORMS(4u, uint32_t, int32_t)
FORMS(8, int64_t, int64_t)
FORMS(8u, uint64_t, int64_t)

// The bounds of num_teams, which current compilers announce by another call.
static int count(int lower, int upper)
{
    int teams = 0;
    __kmpc_push_num_teams_51(&loop, __kmpc_global_thread_num(&loop), lower, upper, 1);
#pragma omp teams reduction(+ : teams)
    {
        teams++;
        CHECK(omp_get_num_teams() >= lower && omp_get_num_teams() <= upper);
    }
    return teams;
}

int main(void)
{
    for (int teams = 1; teams <= 4; teams++) {
        static const int lengths[] = {0, 1, 2, 5, 7, 23, MOST};
        for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            forms_4(teams, lengths[i]);
            forms_4u(teams, lengths[i]);
            forms_8(teams, lengths[i]);
            forms_8u(teams, lengths[i]);
        }
        int number = count(teams, teams + 3);
        CHECK(number >= teams && number <= teams + 3);
        CHECK_EQ(count(0, teams), teams);
        CHECK_EQ(count(teams, teams), teams);
    }
    return check_result();
}
