/* Results are computed while the lock of the list is held that only their insertion needs. */
//#Says:hold the lock shorter
//#Repair:the lock is held for the insertion only
#include <omp.h>

#include "burn.h"

enum { ITEMS = 600 };

static double list[ITEMS];
static int length;

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int item = 0; item < ITEMS; item++) {
        double value = burn(item, 20000);
#ifdef REPAIRED
        value = burn(value, 80000);
        omp_set_lock(&lock);
#else
        omp_set_lock(&lock); // PLANT
        value = burn(value, 80000);
#endif
        list[length++] = value;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return length == ITEMS && list[0] > 0 ? 0 : 1;
}
