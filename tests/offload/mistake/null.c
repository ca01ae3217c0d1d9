// A section of a null pointer that is to be copied ends the program; the message names the variable, its
// size and the place.
//#StockFails:it dies of the copy
//#Stderr:(?m)^.*null pointer.*40 bytes.*\bp\[.*null.c:11:.*; allocate it before, or map a section of length 0
#include "mistake.h"

static void mistake(void)
{
    int *volatile nothing = 0;
    int *p = nothing, length = 10;
#pragma omp target map(tofrom : p[0 : length])
    p[0]++;
}

int main(void)
{
    must_end(mistake);
    return check_result();
}
