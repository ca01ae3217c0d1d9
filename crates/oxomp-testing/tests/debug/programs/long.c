// A long computation.
//#Verdict:none
//#Prints:computed
#include "planted.h"

int main(void)
{
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += compute(5);
    puts(sum > 0 ? "computed" : "nothing");
    return 0;
}
