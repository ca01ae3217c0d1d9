// Updates of sections that are not contiguous: every so many elements, in one or
// several dimensions; what lies between stays. A first element other than 0 beside a stride other than 1
// is left out: the offset that clang 22 passes then has no unit that a runtime could know.
#include "check.h"

enum { LENGTH = 24, ROWS = 6, COLUMNS = 8, PLANES = 4 };

static int row[LENGTH], matrix[ROWS][COLUMNS], cube[PLANES][ROWS][COLUMNS];

static void fill(void)
{
    for (int i = 0; i < LENGTH; i++)
        row[i] = i;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        matrix[i / COLUMNS][i % COLUMNS] = i;
    for (int i = 0; i < PLANES * ROWS * COLUMNS; i++)
        cube[i / (ROWS * COLUMNS)][i / COLUMNS % ROWS][i % COLUMNS] = i;
}

static void negate(void)
{
#pragma omp target map(tofrom : row, matrix, cube)
    {
        for (int i = 0; i < LENGTH; i++)
            row[i] = -row[i];
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++)
                matrix[r][c] = -matrix[r][c];
        for (int p = 0; p < PLANES; p++)
            for (int r = 0; r < ROWS; r++)
                for (int c = 0; c < COLUMNS; c++)
                    cube[p][r][c] = -cube[p][r][c];
    }
}

int main(void)
{
    fill();
#pragma omp target enter data map(to : row, matrix, cube)
    negate();
#pragma omp target update from(row[0 : 5 : 4])
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(row[i], i % 4 == 0 && i < 20 ? -i : i);
#pragma omp target update from(cube[0 : 2 : 2][0 : 3 : 2][0 : 3 : 2])
    for (int p = 0; p < PLANES; p++)
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < COLUMNS; c++) {
                int value = (p * ROWS + r) * COLUMNS + c;
                int chosen = p % 2 == 0 && r % 2 == 0 && c % 2 == 0 && c < 6;
                CHECK_EQ(cube[p][r][c], chosen ? -value : value);
            }

    // To the device.
    fill();
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            matrix[r][c] += 500;
    for (int i = 0; i < LENGTH; i++)
        row[i] += 900;
#pragma omp target update to(matrix[0 : 3 : 2][0 : 4 : 2]) to(row[0 : 8 : 3])
    negate();
#pragma omp target exit data map(from : row, matrix) map(release : cube)
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            int value = r * COLUMNS + c;
            CHECK_EQ(matrix[r][c], r % 2 == 0 && c % 2 == 0 ? -(value + 500) : value);
        }
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(row[i], i % 3 == 0 ? -(i + 900) : i);
    return check_result();
}
