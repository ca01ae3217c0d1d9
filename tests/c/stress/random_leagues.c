// Threads of the program encounter leagues of random sizes, with regions, tasks, loops and
// reductions inside, more threads than processors.
//#Env:OMP_MAX_ACTIVE_LEVELS=3
//#Timeout:60
//#ReferenceFails[clang]:libomp makes no more teams than there are processors
//#NotRecorded:more events than a log holds
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

enum { ROOTS = 3, ROUNDS = 250 };

static unsigned next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33);
}

static int tasks_of(int count)
{
    int done = 0;
    for (int i = 0; i < count; i++) {
#pragma omp task shared(done)
        __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
    }
#pragma omp taskwait
    return done;
}

static int in_team(int kind, int threads)
{
    int result = 0;
    switch (kind) {
    case 0:
        return 1;
    case 1:
        return tasks_of(threads);
    case 2:
#pragma omp parallel num_threads(threads) reduction(+ : result)
        result++;
        return result;
    case 3:
#pragma omp parallel num_threads(threads) reduction(+ : result)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 10; i++)
            result++;
#pragma omp single
        result += tasks_of(5);
    }
        return result;
    default:
#pragma omp parallel num_threads(threads) reduction(+ : result)
    {
#pragma omp parallel num_threads(2) reduction(+ : result)
        {
#pragma omp barrier
            result++;
        }
    }
        return result;
    }
}

static int expected(int kind, int threads)
{
    return kind == 0 ? 1 : kind <= 2 ? threads : kind == 3 ? 15 : 2 * threads;
}

static void *encounter(void *seed)
{
    uint64_t state = (uint64_t)(uintptr_t)seed;
    for (int round = 0; round < ROUNDS; round++) {
        int teams = 1 + next(&state) % 4, threads = 1 + next(&state) % 3, kind = next(&state) % 5;
        int sum = 0, loop = 0;
#pragma omp teams num_teams(teams) reduction(+ : sum)
        sum += in_team((kind + omp_get_team_num()) % 5, threads);
        int wanted = 0;
        for (int team = 0; team < teams; team++)
            wanted += expected((kind + team) % 5, threads);
        CHECK_EQ(sum, wanted);
#pragma omp teams distribute parallel for num_teams(teams) num_threads(threads) reduction(+ : loop)
        for (int i = 0; i < 50; i++)
            loop += i;
        CHECK_EQ(loop, 1225);
        if (kind == 4)
            CHECK_EQ(in_team(3, threads), 15);
    }
    return NULL;
}

int main(void)
{
    pthread_t roots[ROOTS];
    for (uintptr_t i = 0; i < ROOTS; i++)
        CHECK_EQ(pthread_create(&roots[i], NULL, encounter, (void *)(i + 2)), 0);
    encounter((void *)1);
    for (int i = 0; i < ROOTS; i++)
        CHECK_EQ(pthread_join(roots[i], NULL), 0);
    return check_result();
}
