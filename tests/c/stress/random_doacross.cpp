// Doacross loops: recurrences over one and two dimensions with sinks at various distances, in every
// schedule, upwards and downwards, of several types. The values are those of a sequential run.
// Arguments: the number of loops, the first seed; a failure names the seed of the loop.
//#Vary:OMP_WAIT_POLICY=active|passive
//#Args:300
//#Timeout:120
//#ReferenceFails[gcc]:libgomp takes minutes where threads share processors
//#NoStderr
#include "check.h"
#include "draw.h"
#include <cstdint>
#include <cstdlib>
#include <omp.h>
#include <vector>

enum { MAX_THREADS = 6 };

static uint64_t mixed(uint64_t a, uint64_t b)
{
    return (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u + (a >> 29);
}

static void work(int amount)
{
    for (volatile int i = 0; i < amount; i++)
        ;
}

// How a loop is run.
struct Shape {
    int threads, amount;

    explicit Shape(unsigned long &state)
    {
        static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
        threads = 1 + below(&state, MAX_THREADS);
        amount = below(&state, 4) ? 0 : below(&state, 300);
        omp_set_schedule(kinds[below(&state, 3)], below(&state, 2) ? 1 + below(&state, 5) : 0);
    }
};

#define PRAGMA(text) _Pragma(#text)

// gcc 12 computes the sinks of a loop over unsigned wrongly. clang 22 says that a dimension has an
// iteration more than it has, so that a sink just beyond its end waits for ever.
#ifdef __clang__
#define UNSIGNED unsigned
#define ASIDE -1
#else
#define UNSIGNED unsigned long
#define ASIDE +1
#endif

// Iteration i needs i - NEAR and i - FAR. gcc takes no template parameters there.
#define LINE(name, Number, NEAR, FAR)                                                              \
    static void name(unsigned long &state)                                                         \
    {                                                                                              \
        Shape shape(state);                                                                        \
        int n = below(&state, 200);                                                                \
        std::vector<uint64_t> found(n + FAR, 7), wanted(n + FAR, 7);                               \
        for (int i = FAR; i < n + FAR; i++)                                                        \
            wanted[i] = mixed(wanted[i - NEAR], wanted[i - FAR] + i);                              \
        PRAGMA(omp parallel for ordered(1) schedule(runtime) num_threads(shape.threads))           \
        for (Number i = FAR; i < (Number)(n + FAR); i++) {                                         \
            work(shape.amount);                                                                    \
            PRAGMA(omp ordered depend(sink : i - NEAR) depend(sink : i - FAR))                     \
            found[i] = mixed(found[i - NEAR], found[i - FAR] + i);                                 \
            PRAGMA(omp ordered depend(source))                                                     \
            work(shape.amount);                                                                    \
        }                                                                                          \
        CHECK(found == wanted);                                                                    \
    }

// Downwards: iteration i needs i + DISTANCE.
#define DOWNWARDS(name, Number, DISTANCE)                                                          \
    static void name(unsigned long &state)                                                         \
    {                                                                                              \
        Shape shape(state);                                                                        \
        int n = below(&state, 200);                                                                \
        std::vector<uint64_t> found(n + DISTANCE, 7), wanted(n + DISTANCE, 7);                     \
        for (int i = n - 1; i >= 0; i--)                                                           \
            wanted[i] = mixed(wanted[i + DISTANCE], i);                                            \
        PRAGMA(omp parallel num_threads(shape.threads))                                            \
        PRAGMA(omp for ordered(1) schedule(dynamic))                                               \
        for (Number i = n - 1; i >= 0; i--) {                                                      \
            PRAGMA(omp ordered depend(sink : i + DISTANCE))                                        \
            found[i] = mixed(found[i + DISTANCE], i);                                              \
            PRAGMA(omp ordered depend(source))                                                     \
        }                                                                                          \
        CHECK(found == wanted);                                                                    \
    }

LINE(next_and_second, int, 1, 2)
LINE(next_and_fifth, long, 1, 5)
LINE(second_and_third, unsigned long, 2, 3)
LINE(fourth_and_seventh, UNSIGNED, 4, 7)
DOWNWARDS(down_by_one, int, 1)
DOWNWARDS(down_by_three, long, 3)

// A wave over a grid: needs the elements above, to the left, and above to one side.
template <typename Number> static void grid(unsigned long &state)
{
    Shape shape(state);
    Number rows = below(&state, 25), columns = 1 + below(&state, 25);
    auto make = [&] { return std::vector<uint64_t>((rows + 1) * (columns + 2), 3); };
    std::vector<uint64_t> found = make(), wanted = make();
    auto at = [&](Number i, Number j) { return size_t(i * (columns + 2) + j); };
    auto value = [&](std::vector<uint64_t> &of, Number i, Number j) {
        uint64_t above = mixed(of[at(i - 1, j)], of[at(i - 1, j ASIDE)]);
        of[at(i, j)] = mixed(above, of[at(i, j - 1)] + uint64_t(i * j));
    };
    for (Number i = 1; i <= rows; i++)
        for (Number j = 1; j <= columns; j++)
            value(wanted, i, j);
#pragma omp parallel for ordered(2) schedule(runtime) num_threads(shape.threads)
    for (Number i = 1; i <= rows; i++)
        for (Number j = 1; j <= columns; j++) {
            work(shape.amount);
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1) depend(sink : i - 1, j ASIDE)
            value(found, i, j);
#pragma omp ordered depend(source)
        }
    CHECK(found == wanted);
}

// Two loops with a step of 3 follow each other without a barrier.
static void several(unsigned long &state)
{
    Shape shape(state);
    int n = 3 * below(&state, 60);
    std::vector<uint64_t> first(n + 3, 1), second(n + 3, 1), wanted(n + 3, 1);
    for (int i = 3; i < n + 3; i += 3)
        wanted[i] = mixed(wanted[i - 3], i);
#pragma omp parallel num_threads(shape.threads)
    {
#pragma omp for ordered(1) schedule(static, 1) nowait
        for (int i = 3; i < n + 3; i += 3) {
#pragma omp ordered depend(sink : i - 3)
            first[i] = mixed(first[i - 3], i);
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(guided) nowait
        for (unsigned long i = 3; i < (unsigned long)(n + 3); i += 3) {
#pragma omp ordered depend(sink : i - 3)
            second[i] = mixed(second[i - 3], i);
#pragma omp ordered depend(source)
        }
    }
    CHECK(first == wanted);
    CHECK(second == wanted);
}

static void run(unsigned long seed)
{
    unsigned long state = seed;
    int before = check_failures;
    switch (below(&state, 10)) {
    case 0:
        next_and_second(state);
        break;
    case 1:
        next_and_fifth(state);
        break;
    case 2:
        second_and_third(state);
        break;
    case 3:
        fourth_and_seventh(state);
        break;
    case 4:
        down_by_one(state);
        break;
    case 5:
        down_by_three(state);
        break;
    case 6:
        grid<int>(state);
        break;
    case 7:
        grid<long>(state);
        break;
    default:
        several(state);
    }
    if (check_failures != before)
        fprintf(stderr, "the loop of seed %lu is wrong\n", seed);
}

int main(int arguments, char **argument)
{
    int loops = arguments > 1 ? atoi(argument[1]) : 300;
    unsigned long seed = arguments > 2 ? strtoul(argument[2], nullptr, 0) : 1;
    omp_set_dynamic(0);
    for (int i = 0; i < loops; i++)
        run(seed + (unsigned long)i);
    return check_result();
}
