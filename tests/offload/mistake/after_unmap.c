// Data that have left the device are not there any more: a use with present ends the program, and the
// message names the variable, its size and the place of the use.
//#StockFails:its message does not name the variable
//#Stderr:(?m)^.*\(400 bytes\).*\bgrid\b.*after_unmap\.c:16:.*; map it by an enclosing target data
#include "mistake.h"

static void mistake(void)
{
    int grid[100] = {0};
#pragma omp target enter data map(to : grid)
#pragma omp target map(present, tofrom : grid)
    grid[0] = 1;
#pragma omp target exit data map(from : grid)
    if (grid[0] != 1)
        _exit(0);
#pragma omp target data map(present, tofrom : grid)
    grid[0]++;
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
