// A target update with present for data that are not there ends the program; the message names the
// variable, its size and the place.
//#StockFails:its message does not name the variable
//#Stderr:(?m)^.*\(400 bytes\).*\bgrid\b.*missing_update\.c:10:.*; map it by an enclosing target data or an earlier target enter data construct
#include "mistake.h"

static void mistake(void)
{
    int grid[100] = {0};
#pragma omp target update to(present : grid)
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
