/* Three regions, then the end by a signal that nobody can handle. */
#include <signal.h>

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum++;
    }
    return sum == 6 ? raise(SIGKILL) : 1;
}
