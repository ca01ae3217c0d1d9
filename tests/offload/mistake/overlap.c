// A section that overlaps a mapped one in a part ends the program; the message names the variable, both
// sizes and both places.
//#StockFails:its message does not name the variable
//#Stderr:(?m)^.*\(200 bytes\).*\(160 bytes\).*\bgrid\b.*overlap\.c:11.*overlap\.c:10:.*; map all of it where it is mapped first
#include "mistake.h"

static void mistake(void)
{
    int grid[100] = {0};
#pragma omp target enter data map(to : grid[0 : 40])
#pragma omp target enter data map(to : grid[20 : 50])
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
