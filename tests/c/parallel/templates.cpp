// C++: regions in templates, lambdas, constructors and nested calls; threads of std::thread beside.
//#Opt:-O0,-O2
//#Env:OMP_MAX_ACTIVE_LEVELS=2
//#Threads:2,4
//#Timeout:60
//#NoStderr
#include "check.h"
#include <functional>
#include <omp.h>
#include <thread>
#include <vector>

template <typename T, int Size> T power(T base)
{
    T product = 1;
#pragma omp parallel for num_threads(Size) reduction(* : product)
    for (int i = 0; i < 8; i++)
        product *= base;
    return product;
}

template <typename Body> void each_thread(int size, Body body)
{
#pragma omp parallel num_threads(size)
    body(omp_get_thread_num(), omp_get_num_threads());
}

struct Table {
    std::vector<long> squares;
    explicit Table(int size) : squares(size)
    {
#pragma omp parallel for schedule(dynamic, 5)
        for (int i = 0; i < size; i++)
            squares[i] = (long)i * i;
    }
};

int main()
{
    for (int round = 0; round < 20; round++) {
        CHECK_EQ((power<int, 2>(2)), 256);
        CHECK_EQ((power<long, 3>(3)), 6561);
        CHECK((power<double, 4>(0.5)) == 1.0 / 256);

        std::vector<int> inner(3);
        each_thread(3, [&](int me, int size) {
            CHECK_EQ(size, 3);
            each_thread(2, [&, me](int number, int) {
#pragma omp atomic
                inner[me] += number + 1;
            });
        });
        for (int sum : inner)
            CHECK_EQ(sum, 3);

        Table table(100);
        CHECK_EQ(table.squares[99], 9801);

        std::vector<std::thread> threads;
        std::vector<long> answers(3);
        for (int i = 0; i < 3; i++)
            threads.emplace_back([&, i] { answers[i] = Table(50 + i).squares[49 + i]; });
        for (auto &thread : threads)
            thread.join();
        for (int i = 0; i < 3; i++)
            CHECK_EQ(answers[i], (49L + i) * (49 + i));

        std::function<int(int)> depth = [&](int levels) {
            int deepest = omp_get_level();
            if (levels > 0) {
#pragma omp parallel num_threads(2) reduction(max : deepest)
                deepest = depth(levels - 1);
            }
            return deepest;
        };
        CHECK_EQ(depth(4), 4);
    }
    return check_result();
}
