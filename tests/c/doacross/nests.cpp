// Loop nests of one to four loops, of every integer type, up and down, by steps of one and more;
// some of the loops shared out together. A sink outside of the nest stands for no dependence.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#Vary:OMP_SCHEDULE=static,1|dynamic,2
//#Timeout:60
//#ReferenceFails[clang]:libomp waits for the iteration after the last one
//#NoStderr
#include "check.h"
#include <vector>

// An iteration adds up what the iterations that it waits for have, and one.
template <typename T> void up_and_down(T low, T high, T step)
{
    std::vector<long> found(64 * 64, 0), wanted(64 * 64, 0);
    for (int x = 0; x < 24; x++)
        for (int y = 0; y < 24; y++) {
            long sum = 1;
            if (x >= 2)
                sum += wanted[(x - 2) * 64 + y];
            if (x >= 1 && y >= 3)
                sum += wanted[(x - 1) * 64 + y - 3];
            if (x >= 3 && y < 23)
                sum += wanted[(x - 3) * 64 + y + 1];
            wanted[x * 64 + y] = sum % 1000003;
        }
    for (int turn = 0; turn < 2; turn++) {
        found.assign(64 * 64, 0);
#pragma omp parallel
        if (turn == 0) {
#pragma omp for ordered(2) schedule(runtime)
            for (T i = low; i < high; i += step)
                for (T j = high; j > low; j -= step) {
#pragma omp ordered depend(sink : i - 6, j) depend(sink : i - 3, j + 9) \
    depend(sink : i - 9, j - 3)
                    int x = int((i - low) / step), y = int((high - j) / step);
                    long sum = 1;
                    if (x >= 2)
                        sum += found[(x - 2) * 64 + y];
                    if (x >= 1 && y >= 3)
                        sum += found[(x - 1) * 64 + y - 3];
                    if (x >= 3 && y < 23)
                        sum += found[(x - 3) * 64 + y + 1];
                    found[x * 64 + y] = sum % 1000003;
#pragma omp ordered depend(source)
                }
        } else {
#pragma omp for ordered(2) schedule(runtime) nowait
            for (T i = high; i > low; i -= step)
                for (T j = low; j < high; j += step) {
#pragma omp ordered depend(sink : i + 6, j) depend(sink : i + 3, j - 9) depend(sink : i + 9, j + 3)
                    int x = int((high - i) / step), y = int((j - low) / step);
                    long sum = 1;
                    if (x >= 2)
                        sum += found[(x - 2) * 64 + y];
                    if (x >= 1 && y >= 3)
                        sum += found[(x - 1) * 64 + y - 3];
                    if (x >= 3 && y < 23)
                        sum += found[(x - 3) * 64 + y + 1];
                    found[x * 64 + y] = sum % 1000003;
#pragma omp ordered depend(source)
                }
        }
        CHECK(found == wanted);
    }
}

static void single()
{
    for (int distance = 1; distance < 9; distance += 3) {
        std::vector<long> found(500, 1), wanted(500, 1);
        for (std::size_t i = 8; i < 500; i++)
            wanted[i] = (wanted[i - distance] * 3 + wanted[i - 8]) % 1000003;
#pragma omp parallel for ordered(1) schedule(runtime)
        for (long i = 8; i < 500; i++) {
            if (distance == 1) {
#pragma omp ordered depend(sink : i - 1) depend(sink : i - 8)
            } else if (distance == 4) {
#pragma omp ordered depend(sink : i - 4) depend(sink : i - 8)
            } else {
#pragma omp ordered depend(sink : i - 7) depend(sink : i - 8)
            }
            found[i] = (found[i - distance] * 3 + found[i - 8]) % 1000003;
#pragma omp ordered depend(source)
        }
        CHECK(found == wanted);
    }
}

#define AT(a, b, c, d) (((a) * 7 + (b)) * 7 + (c)) * 7 + (d)

#define FOUR(clauses)                                                                              \
    {                                                                                              \
        std::vector<long> found(7 * 7 * 7 * 7, 0), wanted(7 * 7 * 7 * 7, 0);                       \
        for (int a = 1; a < 7; a++)                                                                \
            for (int b = 0; b < 6; b++)                                                            \
                for (int c = 1; c < 6; c++)                                                        \
                    for (int d = 1; d < 7; d++)                                                    \
                        wanted[AT(a, b, c, d)] = (wanted[AT(a - 1, b + 1, c, d)]                   \
                                                  + wanted[AT(a, b, c - 1, d)] * 3                 \
                                                  + wanted[AT(a, b, c, d - 1)] * 5 + 1)            \
                            % 1000003;                                                             \
        _Pragma("omp parallel") _Pragma(clauses) for (int a = 1; a < 7; a++)                       \
            for (int b = 0; b < 6; b++)                                                            \
                for (int c = 1; c < 6; c++)                                                        \
                    for (int d = 1; d < 7; d++) {                                                  \
                        _Pragma("omp ordered depend(sink : a - 1, b + 1, c, d) depend(sink : a, b, c - 1, d) depend(sink : a, b, c, d - 1)") \
                            found[AT(a, b, c, d)] = (found[AT(a - 1, b + 1, c, d)]                 \
                                                     + found[AT(a, b, c - 1, d)] * 3               \
                                                     + found[AT(a, b, c, d - 1)] * 5 + 1)          \
                            % 1000003;                                                             \
                        _Pragma("omp ordered depend(source)")                                      \
                    }                                                                              \
        CHECK(found == wanted);                                                                    \
    }

// More loops than a call has words in registers.
static void deep()
{
    long count = 0;
#pragma omp parallel for ordered(10) schedule(runtime)
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 2; b++)
            for (int c = 0; c < 1; c++)
                for (int d = 0; d < 2; d++)
                    for (int e = 0; e < 1; e++)
                        for (int f = 0; f < 2; f++)
                            for (int g = 0; g < 2; g++)
                                for (int h = 0; h < 3; h++)
                                    for (int i = 0; i < 2; i++)
                                        for (int j = 0; j < 2; j++) {
#pragma omp ordered depend(sink : a - 1, b, c, d, e, f, g, h, i, j) \
    depend(sink : a, b, c, d, e, f, g, h - 1, i, j + 1)
                                            if (b + d + f + g + h + i + j == 0) {
                                                CHECK_EQ(count, a);
                                                count++;
                                            }
#pragma omp ordered depend(source)
                                        }
    CHECK_EQ(count, 4);
}

int main()
{
    up_and_down<int>(-36, 36, 3);
    up_and_down<short>(-36, 36, 3);
    up_and_down<long>(-36, 36, 3);
#ifdef __clang__
    // gcc's code for unsigned types waits for the wrong iterations.
    up_and_down<unsigned long>(60, 132, 3);
    up_and_down<unsigned>(60, 132, 3);
    up_and_down<unsigned char>(60, 132, 3);
#endif
    single();
    FOUR("omp for ordered(4) schedule(runtime)")
    FOUR("omp for ordered(4) collapse(2) schedule(runtime)")
    FOUR("omp for ordered(4) collapse(3) schedule(runtime)")
    FOUR("omp for ordered(4) collapse(4) schedule(runtime)")
    deep();
    return check_result();
}
