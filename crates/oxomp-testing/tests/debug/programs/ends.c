// A program that ends at once, with a status of its own.
//#Verdict:none
//#Prints:3
//#Status:3
#include "planted.h"

int main(void)
{
    int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
    members++;
    printf("%d\n", members);
    return members;
}
