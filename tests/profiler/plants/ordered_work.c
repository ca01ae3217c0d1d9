/* A loop that does all its work in its ordered part, of which only the output needs the order. */
//#Says:ordered
//#Says:before or after
//#Repair:only the output is ordered
#include "burn.h"

enum { RECORDS = 400 };

static double written[RECORDS];
static int records;

static double convert(int record)
{
    return burn(record, 100000);
}

int main(void)
{
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(2) // PLANT
    for (int record = 0; record < RECORDS; record++) {
#ifdef REPAIRED
        double value = convert(record);
#pragma omp ordered
        written[records++] = value;
#else
#pragma omp ordered // PLANT
        written[records++] = convert(record);
#endif
    }
    return records == RECORDS && written[1] > 0 ? 0 : 1;
}
