/* One thread prepares each step in a single, and the others wait at its end. */
//#Says[clang]:one thread works in a single while the others wait
//#Says[gcc, oxomp]:one thread works in a single while the others wait
//#Says[gcc, libomp]:no worksharing construct was seen in it
//#Says[gcc, libiomp5]:no worksharing construct was seen in it
//#Repair:a loop in place of the single
// Of gcc's single, LLVM's runtimes tell only that threads wait, and not for what.
#include "burn.h"

enum { STEPS = 20, PARTS = 40 };

static double parts[PARTS];

int main(void)
{
#pragma omp parallel num_threads(2) // PLANT
    for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
#pragma omp for schedule(static)
#else
#pragma omp single
#endif
        for (int part = 0; part < PARTS; part++)
            // Rounds that differ keep compilers from computing two parts at a time.
            parts[part] = burn(parts[part], 50000 + part % 2);
    }
    return parts[0] > 0 ? 0 : 1;
}
