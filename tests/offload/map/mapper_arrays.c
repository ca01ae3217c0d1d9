// A mapper of the element type works on each element of an array and of a section, at entry, exit and
// updates.
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
    struct cell cells[CELLS], *heap = malloc(CELLS * sizeof *heap);
    for (int i = 0; i < CELLS; i++) {
        cells[i] = (struct cell){i + 1, malloc((i + 1) * sizeof(int))};
        for (int k = 0; k <= i; k++)
            cells[i].values[k] = 10 * i + k;
        heap[i] = cells[i];
    }
#pragma omp target map(tofrom : cells)
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < cells[i].length; k++)
            cells[i].values[k]++;
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k <= i; k++)
            CHECK_EQ(cells[i].values[k], 10 * i + k + 1);

    // A section through a pointer: the others are not touched.
#pragma omp target enter data map(to : heap[2 : 5])
    CHECK(!omp_target_is_present(heap[1].values, device));
    CHECK(!omp_target_is_present(heap[7].values, device));
    for (int i = 2; i < 7; i++)
        CHECK(omp_target_is_present(&heap[i].values[i], device));
#pragma omp target map(tofrom : heap[2 : 5])
    for (int i = 2; i < 7; i++)
        heap[i].values[i] = 1000 + i;
    CHECK_EQ(heap[4].values[4], 45);
#pragma omp target update from(heap[4 : 1])
    CHECK_EQ(heap[4].values[4], 1004);
    CHECK_EQ(heap[5].values[5], 56);
#pragma omp target exit data map(from : heap[2 : 5])
    for (int i = 0; i < CELLS; i++) {
        CHECK(!omp_target_is_present(heap[i].values, device));
        CHECK_EQ(heap[i].values[i], i >= 2 && i < 7 ? 1000 + i : 11 * i + 1);
        CHECK(heap[i].values == cells[i].values);
    }
    for (int i = 0; i < CELLS; i++)
        free(cells[i].values);
    free(heap);
    return check_result();
}
