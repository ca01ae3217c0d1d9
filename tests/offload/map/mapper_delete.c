// delete, applied through a mapper, ends whatever the counts are, of each element of an array.
//#StockFails:OpenMP 5.2 table 5.3: tofrom in the mapper and delete in the clause make delete
#include "check.h"
#include <omp.h>
#include <stdlib.h>

struct cell {
    int length;
    int *values;
};

#pragma omp declare mapper(struct cell c) map(c.length) map(tofrom : c.values[0 : c.length])

enum { CELLS = 9 };

int main(void)
{
    int device = omp_get_default_device();
    struct cell cells[CELLS];
    for (int i = 0; i < CELLS; i++)
        cells[i] = (struct cell){i + 1, calloc(i + 1, sizeof(int))};
    for (int turn = 0; turn < 3; turn++) {
#pragma omp target enter data map(to : cells)
    }
    for (int i = 0; i < CELLS; i++)
        CHECK(omp_target_is_present(cells[i].values, device));
#pragma omp target exit data map(delete : cells)
    for (int i = 0; i < CELLS; i++) {
        CHECK(!omp_target_is_present(&cells[i], device));
        CHECK(!omp_target_is_present(cells[i].values, device));
        free(cells[i].values);
    }
    return check_result();
}
