// Threads that throw, catch and allocate all the time, for 250 ms of processor time each.
#include <omp.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "clock.h"
#include "helper.h"

__attribute__((noinline)) static int fails(int depth, std::vector<std::string> &words)
{
    words.emplace_back(static_cast<std::size_t>(depth) * 40, 'x');
    auto own = std::make_unique<std::string>(words.back());
    if (depth == 0)
        throw std::runtime_error(*own + "bottom");
    return fails(depth - 1, words) + static_cast<int>(own->size());
}

int main()
{
    long caught = 0, rounds = 0;
    await_helper();
#pragma omp parallel num_threads(4) reduction(+ : caught, rounds)
    {
        int64_t end = cpu_ns() + 250000000;
        while (cpu_ns() < end) {
            std::vector<std::string> words;
            try {
                fails(12, words);
            } catch (const std::runtime_error &error) {
                caught += error.what() == std::string("bottom") && words.size() == 13;
            }
            rounds++;
        }
    }
    std::printf("missed %ld\n", rounds - caught);
    return rounds == 0;
}
