/* Many critical sections. */
#include <stdio.h>

int main(void) {
    long count = 0;
    for (int region = 0; region < 10; region++) {
#pragma omp parallel num_threads(2)
        for (int at = 0; at < 50000; at++) {
#pragma omp critical
            count++;
        }
    }
    printf("count=%ld\n", count);
    return 0;
}
