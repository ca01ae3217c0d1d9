// Recursion with tasks: Fibonacci numbers, placements of queens, a parallel prefix, each with a
// cut-off by depth, by if, by final, or none.
//#Threads:1,2,4,8
//#SameStdoutAs:reference
//#NotRecorded:more tasks than a log holds
#include "check.h"
#include <omp.h>
#include <string.h>

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static int fib_if(int n, int depth)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) if (depth < 5)
    a = fib_if(n - 1, depth + 1);
    b = fib_if(n - 2, depth + 1);
#pragma omp taskwait
    return a + b;
}

static int fib_final(int n, int depth)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) final(depth > 4) mergeable
    a = fib_final(n - 1, depth + 1);
#pragma omp task shared(b) final(depth > 4) untied
    b = fib_final(n - 2, depth + 1);
#pragma omp taskwait
    return a + b;
}

static int fits(int row, const char *columns)
{
    for (int i = 0; i < row; i++) {
        int distance = columns[row] - columns[i];
        if (distance == 0 || distance == row - i || distance == i - row)
            return 0;
    }
    return 1;
}

// Every placement a task with its own board.
static void place(int size, int row, const char *board, int *count)
{
    if (row == size) {
#pragma omp atomic
        *count += 1;
        return;
    }
    for (int column = 0; column < size; column++) {
        char columns[16];
        memcpy(columns, board, sizeof columns);
        columns[row] = column;
        if (fits(row, columns)) {
#pragma omp task firstprivate(columns, row)
            place(size, row + 1, columns, count);
        }
    }
#pragma omp taskwait
}

static int place_counted(int size, int row, const char *board)
{
    int counts[16] = {0}, count = 0;
    if (row == size)
        return 1;
#pragma omp taskgroup
    for (int column = 0; column < size; column++) {
#pragma omp task shared(counts) if (row < 4) firstprivate(column)
        {
            char columns[16];
            memcpy(columns, board, sizeof columns);
            columns[row] = column;
            if (fits(row, columns))
                counts[column] = place_counted(size, row + 1, columns);
        }
    }
    for (int column = 0; column < size; column++)
        count += counts[column];
    return count;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        printf("%d %d %d\n", fib(20), fib_if(22, 0), fib_final(22, 0));
        char board[16] = {0};
        for (int size = 4; size <= 8; size++) {
            int count = 0;
            place(size, 0, board, &count);
            printf("%d %d %d\n", size, count, place_counted(size, 0, board));
        }
    }
    return check_result();
}
