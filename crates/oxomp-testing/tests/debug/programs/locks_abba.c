// Two threads take two locks in opposite order.
//#Verdict:deadlock
//#Says:lock\s+right\s+at\s+@WAIT_RIGHT
//#Says:lock\s+left\s+at\s+@WAIT_LEFT
#include "planted.h"

static omp_lock_t left, right;

int main(void)
{
    omp_init_lock(&left);
    omp_init_lock(&right);
#pragma omp parallel num_threads(2) //@REGION
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&left);
            meet(2);
            omp_set_lock(&right); //@WAIT_RIGHT
            omp_unset_lock(&right);
            omp_unset_lock(&left);
        } else {
            omp_set_lock(&right);
            meet(2);
            omp_set_lock(&left); //@WAIT_LEFT
            omp_unset_lock(&left);
            omp_unset_lock(&right);
        }
    }
    puts("over");
    return 0;
}
