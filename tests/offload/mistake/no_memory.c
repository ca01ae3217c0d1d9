// A list item for which the device has no memory ends the program; the message names the variable, its
// size and the place.
//#StockFails:its message does not name the variable
//#Stderr:(?m)^.*\(1152921504606846976 bytes\).*\bhuge\b.*no_memory\.c:11:.*; map a smaller section
#include "mistake.h"

static void mistake(void)
{
    char cell = 0, *huge = &cell;
    size_t bytes = (size_t)1 << 60;
#pragma omp target enter data map(alloc : huge[0 : bytes])
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
