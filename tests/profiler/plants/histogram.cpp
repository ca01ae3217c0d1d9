// A histogram whose every count is in a critical.
//#Says:critical
//#Repair:a histogram for each thread, and a reduction
#include <vector>

#include "burn.h"

constexpr int PIXELS = 300000, BINS = 64, STEPS = 3;

static int bins[BINS];

int main()
{
    std::vector<unsigned char> image(PIXELS);
    for (int i = 0; i < PIXELS; i++)
        image[i] = static_cast<unsigned char>(i * 7 % BINS);
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) reduction(+ : bins[:BINS])
#else
#pragma omp parallel for num_threads(2)
#endif
        for (int i = 0; i < PIXELS; i++) {
            int bin = static_cast<int>(burn(image[i], 20)) % BINS;
#ifdef REPAIRED
            bins[bin]++;
#else
#pragma omp critical // PLANT
            bins[bin]++;
#endif
        }
    }
    return bins[0] >= 0 ? 0 : 1;
}
