// Results are computed while a std::mutex is held that only their insertion needs.
//#Says:mutex (not OpenMP's)
//#Says:hold the lock shorter
//#Repair:the mutex is held for the insertion only
#include <mutex>
#include <vector>

#include "burn.h"

constexpr int ITEMS = 300;

int main()
{
    std::vector<double> list;
    std::mutex guard;
#pragma omp parallel for num_threads(2) schedule(static, 1) // PLANT
    for (int item = 0; item < ITEMS; item++) {
        double value = burn(item, 20000);
#ifdef REPAIRED
        value = burn(value, 200000);
        std::lock_guard<std::mutex> hold(guard);
#else
        std::lock_guard<std::mutex> hold(guard);
        value = burn(value, 200000);
#endif
        list.push_back(value);
    }
    return list.size() == ITEMS && list[0] > 0 ? 0 : 1;
}
