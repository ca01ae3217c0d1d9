// C++: one thread builds what all use after the barrier; nowait singles feed a queue.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <memory>
#include <omp.h>
#include <string>
#include <vector>

int main()
{
    for (int round = 0; round < 200; round++) {
        std::unique_ptr<std::vector<std::string>> texts;
        std::vector<int> queue;
#pragma omp parallel
        {
#pragma omp single
            texts = std::make_unique<std::vector<std::string>>(10, "a text for everybody to read");
            CHECK_EQ(texts->size(), 10);
            CHECK_EQ((*texts)[9].size(), 28);
#pragma omp barrier
#pragma omp single
            texts.reset();
            CHECK(texts == nullptr);
            for (int item = 0; item < 5; item++) {
#pragma omp single nowait
                {
#pragma omp critical(queue)
                    queue.push_back(item);
                }
            }
        }
        CHECK_EQ(queue.size(), 5);
        int sum = 0;
        for (int item : queue)
            sum += item;
        CHECK_EQ(sum, 10);
    }
    return check_result();
}
