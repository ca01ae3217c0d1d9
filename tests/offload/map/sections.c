// Array sections: with a first element and a length from variables, of arrays and through pointers, in
// several dimensions; what lies around them is neither copied nor present.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { LENGTH = 100, ROWS = 6, COLUMNS = 8 };

int main(void)
{
    int device = omp_get_default_device();
    int first = atoi("20"), length = atoi("30");
    int *heap = malloc(LENGTH * sizeof *heap), array[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        heap[i] = array[i] = i;
#pragma omp target data map(tofrom : heap[first : length], array[first : length])
    {
        for (int i = 0; i < LENGTH; i++)
            heap[i] = array[i] = -1;
        CHECK(omp_target_is_present(&heap[first], device));
        CHECK(omp_target_is_present(&heap[first + length - 1], device));
        CHECK(!omp_target_is_present(&heap[first - 1], device));
        CHECK(!omp_target_is_present(&heap[first + length], device));
        // Parts of a section that is there refer to its copy.
#pragma omp target map(tofrom : heap[first + 5 : 10]) map(tofrom : array[first + 10 : 5])
        {
            heap[first + 5] += 1000;
            array[first + 14] += 1000;
        }
        // A pointer into it finds it without a clause.
        int *inside = &heap[first + 6];
#pragma omp target
        inside[0] += 2000;
    }
    for (int i = 0; i < LENGTH; i++) {
        int inside = i >= first && i < first + length;
        int more = i == first + 5 ? 1000 : i == first + 6 ? 2000 : 0;
        CHECK_EQ(heap[i], inside ? i + more : -1);
        CHECK_EQ(array[i], inside ? i + (i == first + 14 ? 1000 : 0) : -1);
    }

    // A pointer into the middle, elements before it included.
    int *middle = heap + 50;
    for (int i = 0; i < LENGTH; i++)
        heap[i] = i;
#pragma omp target map(tofrom : middle[-10 : 20])
    for (int i = -10; i < 10; i++)
        middle[i] *= 2;
    for (int i = 0; i < LENGTH; i++)
        CHECK_EQ(heap[i], i >= 40 && i < 60 ? 2 * i : i);

    // Rows of a matrix, and a part of one row.
    static int matrix[ROWS][COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        matrix[i / COLUMNS][i % COLUMNS] = i;
#pragma omp target map(tofrom : matrix[2 : 3][:])
    for (int row = 2; row < 5; row++)
        for (int column = 0; column < COLUMNS; column++)
            matrix[row][column] = -matrix[row][column];
#pragma omp target map(tofrom : matrix[5][2 : 4])
    for (int column = 2; column < 6; column++)
        matrix[5][column] += 500;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int row = i / COLUMNS, column = i % COLUMNS;
        int wanted = row >= 2 && row < 5 ? -i : row == 5 && column >= 2 && column < 6 ? i + 500 : i;
        CHECK_EQ(matrix[row][column], wanted);
    }

    // Two neighbours are mapped apart and do not disturb each other.
#pragma omp target enter data map(to : heap[0 : 50])
#pragma omp target enter data map(to : heap[50 : 50])
#pragma omp target map(tofrom : heap[0 : 50])
    heap[49] = 7;
#pragma omp target map(tofrom : heap[50 : 50])
    heap[50] = 8;
#pragma omp target exit data map(from : heap[50 : 50])
    CHECK(!omp_target_is_present(&heap[50], device));
    CHECK(omp_target_is_present(&heap[49], device));
    CHECK_EQ(heap[50], 8);
#pragma omp target exit data map(from : heap[0 : 50])
    CHECK_EQ(heap[49], 7);

    // Empty ones.
#pragma omp target map(tofrom : heap[0 : 0])
    {
    }
#pragma omp target data map(tofrom : heap[10 : first - 20])
    CHECK(!omp_target_is_present(&heap[11], device));
    free(heap);
    return check_result();
}
