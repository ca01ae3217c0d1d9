/* A region of two threads, and a command to the tool. */
#include <omp.h>
#include <ompt.h>

int main(void) {
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members += 1;
    ompt_control(64, (uint64_t)-3);
    return members != 2;
}
