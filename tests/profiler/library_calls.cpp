// Two threads sort all the time: the time is that of the call of std::sort, not of its templates.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "clock.h"
#include "helper.h"

enum { ROWS = 40, LENGTH = 40000 };

__attribute__((noinline)) static int order(std::vector<int> &row)
{
    std::sort(row.begin(), row.end());
    return row.front();
}

int main()
{
    long sum = 0;
    await_helper();
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int number = 0; number < ROWS; number++) {
        std::vector<int> row(LENGTH);
        unsigned state = static_cast<unsigned>(number) + 1;
        for (int &value : row) {
            state = state * 1664525u + 1013904223u;
            value = static_cast<int>(state >> 8);
        }
        sum += order(row);
    }
    print_fact("sum", sum);
    return 0;
}
