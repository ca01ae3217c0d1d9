// Linear algebra by blocks: LU of a sparse block matrix with taskwait and with dependences,
// Strassen's product; checked against the plain algorithms.
//#Threads:1,2,4,8
//#Flags:-lm
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 12, SIDE = 8, FULL = BLOCKS * SIDE };

typedef double block[SIDE][SIDE];

static block *matrix[BLOCKS][BLOCKS];

static int is_there(int i, int j)
{
    return i == j || (i + j) % 3 == 0 || (i - j) % 5 == 0;
}

static void fill(void)
{
    unsigned seed = 7;
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++) {
            free(matrix[i][j]);
            matrix[i][j] = NULL;
            if (!is_there(i, j))
                continue;
            matrix[i][j] = calloc(1, sizeof(block));
            for (int k = 0; k < SIDE * SIDE; k++) {
                seed = seed * 1103515245 + 12345;
                (*matrix[i][j])[k / SIDE][k % SIDE] = (seed >> 16) % 100 / 100.0;
            }
            if (i == j)
                for (int k = 0; k < SIDE; k++)
                    (*matrix[i][j])[k][k] += FULL;
        }
}

static void factor(block *a)
{
    for (int k = 0; k < SIDE; k++)
        for (int i = k + 1; i < SIDE; i++) {
            (*a)[i][k] /= (*a)[k][k];
            for (int j = k + 1; j < SIDE; j++)
                (*a)[i][j] -= (*a)[i][k] * (*a)[k][j];
        }
}

static void solve_row(block *diagonal, block *a)
{
    for (int j = 0; j < SIDE; j++)
        for (int k = 0; k < SIDE; k++)
            for (int i = k + 1; i < SIDE; i++)
                (*a)[i][j] -= (*diagonal)[i][k] * (*a)[k][j];
}

static void solve_column(block *diagonal, block *a)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) {
            (*a)[i][k] /= (*diagonal)[k][k];
            for (int j = k + 1; j < SIDE; j++)
                (*a)[i][j] -= (*a)[i][k] * (*diagonal)[k][j];
        }
}

static void update(block *left, block *right, block *a)
{
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                (*a)[i][j] -= (*left)[i][k] * (*right)[k][j];
}

static block *at(int i, int j)
{
    if (!matrix[i][j])
        matrix[i][j] = calloc(1, sizeof(block));
    return matrix[i][j];
}

static void lu_sequential(void)
{
    for (int k = 0; k < BLOCKS; k++) {
        factor(at(k, k));
        for (int j = k + 1; j < BLOCKS; j++)
            if (matrix[k][j])
                solve_row(at(k, k), at(k, j));
        for (int i = k + 1; i < BLOCKS; i++)
            if (matrix[i][k])
                solve_column(at(k, k), at(i, k));
        for (int i = k + 1; i < BLOCKS; i++)
            for (int j = k + 1; j < BLOCKS; j++)
                if (matrix[i][k] && matrix[k][j])
                    update(at(i, k), at(k, j), at(i, j));
    }
}

static void lu_waiting(void)
{
    for (int k = 0; k < BLOCKS; k++) {
        factor(at(k, k));
        for (int j = k + 1; j < BLOCKS; j++)
            if (matrix[k][j]) {
#pragma omp task untied firstprivate(k, j)
                solve_row(matrix[k][k], matrix[k][j]);
            }
        for (int i = k + 1; i < BLOCKS; i++)
            if (matrix[i][k]) {
#pragma omp task untied firstprivate(k, i)
                solve_column(matrix[k][k], matrix[i][k]);
            }
#pragma omp taskwait
        for (int i = k + 1; i < BLOCKS; i++)
            for (int j = k + 1; j < BLOCKS; j++)
                if (matrix[i][k] && matrix[k][j]) {
#pragma omp task untied firstprivate(k, i, j)
                    update(matrix[i][k], matrix[k][j], at(i, j));
                }
#pragma omp taskwait
    }
}

static void lu_dependent(void)
{
    for (int k = 0; k < BLOCKS; k++) {
        block *diagonal = at(k, k);
#pragma omp task depend(inout : *diagonal)
        factor(diagonal);
        for (int j = k + 1; j < BLOCKS; j++)
            if (matrix[k][j]) {
                block *right = matrix[k][j];
#pragma omp task depend(in : *diagonal) depend(inout : *right)
                solve_row(diagonal, right);
            }
        for (int i = k + 1; i < BLOCKS; i++)
            if (matrix[i][k]) {
                block *left = matrix[i][k];
#pragma omp task depend(in : *diagonal) depend(inout : *left)
                solve_column(diagonal, left);
            }
        for (int i = k + 1; i < BLOCKS; i++)
            for (int j = k + 1; j < BLOCKS; j++)
                if (matrix[i][k] && matrix[k][j]) {
                    block *left = matrix[i][k], *right = matrix[k][j], *here = at(i, j);
#pragma omp task depend(in : *left, *right) depend(inout : *here) priority(BLOCKS - k)
                    update(left, right, here);
                }
    }
#pragma omp taskwait
}

static double wanted[BLOCKS][BLOCKS][SIDE * SIDE];

static void compare(int keep)
{
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++)
            for (int k = 0; k < SIDE * SIDE; k++) {
                double found = matrix[i][j] ? (*matrix[i][j])[k / SIDE][k % SIDE] : 0;
                if (keep)
                    wanted[i][j][k] = found;
                else
                    CHECK(found == wanted[i][j][k]);
            }
}

static void multiply(int side, const double *a, const double *b, double *c, int row)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            double sum = 0;
            for (int k = 0; k < side; k++)
                sum += a[i * row + k] * b[k * row + j];
            c[i * side + j] = sum;
        }
}

static void add(int side, const double *a, const double *b, double sign, double *c, int row)
{
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            c[i * side + j] = a[i * row + j] + sign * b[i * row + j];
}

// c is dense, of `side`; a and b lie in rows of `row`.
static void strassen(int side, const double *a, const double *b, double *c, int row)
{
    if (side <= 16) {
        multiply(side, a, b, c, row);
        return;
    }
    int h = side / 2, cells = h * h;
    const double *a11 = a, *a12 = a + h, *a21 = a + h * row, *a22 = a21 + h;
    const double *b11 = b, *b12 = b + h, *b21 = b + h * row, *b22 = b21 + h;
    double *m = malloc(7 * cells * sizeof *m);
    double *s = malloc(10 * cells * sizeof *s);
    add(h, a11, a22, 1, s, row);
    add(h, b11, b22, 1, s + cells, row);
    add(h, a21, a22, 1, s + 2 * cells, row);
    add(h, b12, b22, -1, s + 3 * cells, row);
    add(h, b21, b11, -1, s + 4 * cells, row);
    add(h, a11, a12, 1, s + 5 * cells, row);
    add(h, a21, a11, -1, s + 6 * cells, row);
    add(h, b11, b12, 1, s + 7 * cells, row);
    add(h, a12, a22, -1, s + 8 * cells, row);
    add(h, b21, b22, 1, s + 9 * cells, row);
#pragma omp task
    strassen(h, s, s + cells, m, h);
#pragma omp task
    {
        double *copy = malloc(cells * sizeof *copy);
        for (int i = 0; i < h; i++)
            memcpy(copy + i * h, b11 + i * row, h * sizeof *copy);
        strassen(h, s + 2 * cells, copy, m + cells, h);
        free(copy);
    }
#pragma omp task
    {
        double *copy = malloc(cells * sizeof *copy);
        for (int i = 0; i < h; i++)
            memcpy(copy + i * h, a11 + i * row, h * sizeof *copy);
        strassen(h, copy, s + 3 * cells, m + 2 * cells, h);
        free(copy);
    }
#pragma omp task
    {
        double *copy = malloc(cells * sizeof *copy);
        for (int i = 0; i < h; i++)
            memcpy(copy + i * h, a22 + i * row, h * sizeof *copy);
        strassen(h, copy, s + 4 * cells, m + 3 * cells, h);
        free(copy);
    }
#pragma omp task
    {
        double *copy = malloc(cells * sizeof *copy);
        for (int i = 0; i < h; i++)
            memcpy(copy + i * h, b22 + i * row, h * sizeof *copy);
        strassen(h, s + 5 * cells, copy, m + 4 * cells, h);
        free(copy);
    }
#pragma omp task
    strassen(h, s + 6 * cells, s + 7 * cells, m + 5 * cells, h);
#pragma omp task
    strassen(h, s + 8 * cells, s + 9 * cells, m + 6 * cells, h);
#pragma omp taskwait
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            int k = i * h + j;
            c[i * side + j] = m[k] + m[3 * cells + k] - m[4 * cells + k] + m[6 * cells + k];
            c[i * side + j + h] = m[2 * cells + k] + m[4 * cells + k];
            c[(i + h) * side + j] = m[cells + k] + m[3 * cells + k];
            c[(i + h) * side + j + h] = m[k] - m[cells + k] + m[2 * cells + k] + m[5 * cells + k];
        }
    free(m);
    free(s);
}

int main(void)
{
    fill();
    lu_sequential();
    compare(1);
    fill();
#pragma omp parallel
#pragma omp single
    lu_waiting();
    compare(0);
    for (int round = 0; round < 5; round++) {
        fill();
#pragma omp parallel
#pragma omp single
        lu_dependent();
        compare(0);
    }

    enum { ORDER = 128 };
    double *a = malloc(4 * ORDER * ORDER * sizeof *a);
    double *b = a + ORDER * ORDER, *c = b + ORDER * ORDER, *d = c + ORDER * ORDER;
    for (int i = 0; i < ORDER * ORDER; i++) {
        a[i] = i % 17 - 8;
        b[i] = i % 23 - 11;
    }
    multiply(ORDER, a, b, d, ORDER);
#pragma omp parallel
#pragma omp single
    strassen(ORDER, a, b, c, ORDER);
    for (int i = 0; i < ORDER * ORDER; i++)
        CHECK(fabs(c[i] - d[i]) < 1e-6);
    free(a);
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++)
            free(matrix[i][j]);
    return check_result();
}
