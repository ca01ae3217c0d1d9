// The variables are displayed on request, also the implementation's own.
//#Threads:3
//#ReferenceFails[clang]:libomp ends with an assertion
//#Env:OMP_SCHEDULE=guided,5
//#Env:OMP_PROC_BIND=false
//#Stderr:OPENMP DISPLAY ENVIRONMENT BEGIN
//#Stderr:OMP_NUM_THREADS *= *'3'
//#Stderr:OMP_SCHEDULE *= *'(?i:guided),5'
//#Stderr:(?s)DISPLAY ENVIRONMENT END.*DISPLAY ENVIRONMENT BEGIN.*DISPLAY ENVIRONMENT END
#include "check.h"
#include <omp.h>

int main(void)
{
    omp_display_env(0);
    omp_display_env(1);
    CHECK_EQ(omp_get_max_threads(), 3);
    return check_result();
}
