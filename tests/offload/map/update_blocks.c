// Updates of blocks of a matrix and of a cube, which are not contiguous: rows, columns, corners; what
// lies around stays.
//#StockFails:OpenMP 5.2 §13.9: each item of the section is assigned; it copies the first of each row
#include "check.h"
#include <string.h>

enum { ROWS = 6, COLUMNS = 8, PLANES = 4 };

static int matrix[ROWS][COLUMNS], cube[PLANES][ROWS][COLUMNS];

static void fill(void)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        matrix[i / COLUMNS][i % COLUMNS] = i;
    for (int i = 0; i < PLANES * ROWS * COLUMNS; i++)
        cube[i / (ROWS * COLUMNS)][i / COLUMNS % ROWS][i % COLUMNS] = i;
}

int main(void)
{
    fill();
#pragma omp target enter data map(alloc : matrix, cube)
#pragma omp target map(tofrom : matrix, cube)
    {
        memset(matrix, -1, sizeof matrix);
        memset(cube, -1, sizeof cube);
    }
#pragma omp target update from(matrix[1 : 3][2 : 2])
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            int value = r * COLUMNS + c;
            CHECK_EQ(matrix[r][c], r >= 1 && r < 4 && c >= 2 && c < 4 ? -1 : value);
        }
#pragma omp target update from(cube[1 : 2][3 : 2][4 : 4])
    for (int p = 0; p < PLANES; p++)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++) {
                int value = (p * ROWS + r) * COLUMNS + c;
                int inside = (p == 1 || p == 2) && (r == 3 || r == 4) && c >= 4;
                CHECK_EQ(cube[p][r][c], inside ? -1 : value);
            }

    // To the device: a column, and planes whose rows are whole.
    fill();
#pragma omp target update to(matrix[0 : ROWS][5 : 1]) to(cube[1 : 2][2 : 3][0 : COLUMNS])
    memset(matrix, 0, sizeof matrix);
    memset(cube, 0, sizeof cube);
#pragma omp target exit data map(from : matrix, cube)
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            CHECK_EQ(matrix[r][c], c == 5 ? r * COLUMNS + c : -1);
    for (int p = 0; p < PLANES; p++)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++) {
                int inside = (p == 1 || p == 2) && r >= 2 && r < 5;
                CHECK_EQ(cube[p][r][c], inside ? (p * ROWS + r) * COLUMNS + c : -1);
            }
    return check_result();
}
