/* A small Poisson solver with the faults that a profile should find.
 *
 *   relax      imbalanced: the grid is a triangle, so the first rows are long and the last are
 *              short, and schedule(static) gives the long ones to one thread
 *   histogram  most of its work is in a critical section: the threads take turns
 *   checksum   serial: one thread works, the others wait
 *
 * Build and run:  cc -fopenmp -g -O2 solver.c -o solver -lm && ./solver [sweeps] */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 1500
#define BINS 16
#define SWEEPS 360
#define CHECK_EVERY 4

/* The lower-left triangle of a square: row r has SIZE - r cells. */
static double grid[2][SIZE][SIZE];
static double source[SIZE][SIZE];
static long bins[BINS];

/* A charge in each cell that depends on nothing but its place. */
static void place_charges(void)
{
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE - row; column++)
            source[row][column] = ((row * 31 + column * 17) % 101 - 50) * 1e-3;
}

/* One Jacobi sweep; the answer is the largest change of a cell. */
static double relax(double (*from)[SIZE], double (*to)[SIZE])
{
    double change = 0;
#pragma omp parallel for schedule(static) reduction(max : change)
    for (int row = 1; row < SIZE - 2; row++)
        for (int column = 1; column < SIZE - row - 1; column++) {
            double around = from[row - 1][column] + from[row + 1][column] + from[row][column - 1]
                            + from[row][column + 1];
            to[row][column] = 0.25 * (around - source[row][column]);
            double delta = fabs(to[row][column] - from[row][column]);
            change = delta > change ? delta : change;
        }
    return change;
}

/* How far below their row's largest cell the others are, counted in an array of all threads. */
static void histogram(double (*cells)[SIZE])
{
    for (int bin = 0; bin < BINS; bin++)
        bins[bin] = 0;
#pragma omp parallel for schedule(dynamic, 4)
    for (int row = 1; row < SIZE - 2; row++) {
        double largest = 1e-30;
        for (int column = 1; column < SIZE - row - 1; column++) {
            double magnitude = fabs(cells[row][column]);
            largest = magnitude > largest ? magnitude : largest;
        }
#pragma omp critical(bins)
        for (int column = 1; column < SIZE - row - 1; column += 8) {
            int bin = (int)log2(largest / (fabs(cells[row][column]) + 1e-30));
            bins[bin < BINS ? bin : BINS - 1]++;
        }
    }
}

/* Adds up the cells in a fixed order, so that the sum has the same last digit every time. */
static double checksum(double (*cells)[SIZE])
{
    double sum = 0;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE - row; column++)
            sum += sqrt(fabs(cells[row][column])) * (1 + (row + column) % 3);
    return sum;
}

int main(int argc, char **argv)
{
    int sweeps = argc > 1 ? atoi(argv[1]) : SWEEPS;
    if (sweeps < 1) {
        fprintf(stderr, "solver: the number of sweeps must be 1 or more, not `%s`\n", argv[1]);
        return 2;
    }
    place_charges();
    double change = 0, sum = 0;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double (*from)[SIZE] = grid[sweep % 2], (*to)[SIZE] = grid[(sweep + 1) % 2];
        change = relax(from, to);
        if ((sweep + 1) % CHECK_EVERY == 0) {
            histogram(to);
            sum = checksum(to);
        }
    }
    printf("after %d sweeps: change %.6e, checksum %.9e\n", sweeps, change, sum);
    printf("magnitudes:");
    for (int bin = 0; bin < BINS; bin++)
        printf(" %ld", bins[bin]);
    printf("\n");
    return 0;
}
