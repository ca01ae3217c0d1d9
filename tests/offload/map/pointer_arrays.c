// An array of pointers: each is attached to its row by a mapping of its own; a pointer that changes on
// the host is attached anew when its row is mapped.
#include "check.h"
#include <stdlib.h>

enum { ROWS = 5, COLUMNS = 7 };

int main(void)
{
    int *rows[ROWS], *kept[ROWS];
    for (int row = 0; row < ROWS; row++) {
        rows[row] = kept[row] = malloc(COLUMNS * sizeof(int));
        for (int column = 0; column < COLUMNS; column++)
            rows[row][column] = row * COLUMNS + column;
    }
#pragma omp target enter data map(to : rows)
    for (int row = 0; row < ROWS; row++) {
#pragma omp target enter data map(to : rows[row][0 : COLUMNS])
    }
#pragma omp target map(to : rows)
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            rows[row][column] *= row + 1;
    for (int row = 0; row < ROWS; row++) {
        CHECK_EQ(rows[row][3], row * COLUMNS + 3);
#pragma omp target exit data map(from : rows[row][0 : COLUMNS])
        CHECK(rows[row] == kept[row]);
        for (int column = 0; column < COLUMNS; column++)
            CHECK_EQ(rows[row][column], (row * COLUMNS + column) * (row + 1));
    }
#pragma omp target exit data map(release : rows)

    // Another row takes the place of the first.
    int *other = malloc(COLUMNS * sizeof(int)), seen = -1;
    for (int column = 0; column < COLUMNS; column++)
        other[column] = 500 + column;
#pragma omp target map(tofrom : rows[0][0 : COLUMNS])
    rows[0][0] = 1;
    CHECK_EQ(kept[0][0], 1);
    rows[0] = other;
#pragma omp target map(tofrom : rows[0][0 : COLUMNS]) map(from : seen)
    {
        seen = rows[0][1];
        rows[0][0] = 2;
    }
    CHECK_EQ(seen, 501);
    CHECK_EQ(other[0], 2);
    CHECK_EQ(kept[0][0], 1);
    free(other);
    for (int row = 0; row < ROWS; row++)
        free(kept[row]);
    return check_result();
}
