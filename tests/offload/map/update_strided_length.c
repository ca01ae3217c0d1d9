// Updates of every so many elements, as many as the program computes: clang 22 then passes the bytes of the
// section where the number of its dimensions stands otherwise.
//#StockFails:it transfers nothing
#include "check.h"

enum { LENGTH = 100, ROWS = 10, COLUMNS = 10 };

static int row[LENGTH];
static char letters[LENGTH];
static double matrix[ROWS][COLUMNS];

static void fill(void)
{
    for (int i = 0; i < LENGTH; i++) {
        row[i] = i;
        letters[i] = (char)i;
        matrix[i / COLUMNS][i % COLUMNS] = i;
    }
}

static void compare(int length)
{
    int *p = row;
    fill();
#pragma omp target data map(to : row, letters, matrix)
    {
#pragma omp target
        for (int i = 0; i < LENGTH; i++) {
            row[i] = 1000 + i;
            letters[i] = 100;
            matrix[i / COLUMNS][i % COLUMNS] = 1000 + i;
        }
#pragma omp target update from(p[0 : length : 3], letters[0 : length : 2])
#pragma omp target update from(matrix[0 : length / 3][0 : length : 2])
    }
    for (int i = 0; i < LENGTH; i++) {
        int r = i / COLUMNS, c = i % COLUMNS;
        CHECK_EQ(row[i], i % 3 == 0 && i / 3 < length ? 1000 + i : i);
        CHECK_EQ(letters[i], i % 2 == 0 && i / 2 < length ? 100 : i);
        CHECK_EQ((int)matrix[r][c], r < length / 3 && c % 2 == 0 && c / 2 < length ? 1000 + i : i);
    }
}

// A constant section whose number of dimensions is also the bytes of one of them.
static void few_bytes(void)
{
    char cube[8][8][2] = {0};
#pragma omp target data map(to : cube)
    {
#pragma omp target
        for (int i = 0; i < 8 * 8 * 2; i++)
            cube[i / 16][i / 2 % 8][i % 2] = 5;
#pragma omp target update from(cube[0 : 2 : 2][0 : 1][1 : 1])
    }
    for (int i = 0; i < 8 * 8 * 2; i++) {
        int a = i / 16, b = i / 2 % 8, c = i % 2;
        CHECK_EQ(cube[a][b][c], (a == 0 || a == 2) && b == 0 && c == 1 ? 5 : 0);
    }
}

int main(void)
{
    few_bytes();
    for (int length = 0; length <= 5; length++)
        compare(length);
    return check_result();
}
