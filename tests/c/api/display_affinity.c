// OMP_DISPLAY_AFFINITY: each thread's line when it is new, in order with what the program prints; none
// when a region is like the last.
//#Env:OMP_DISPLAY_AFFINITY=true
//#Env:OMP_AFFINITY_FORMAT=<%L.%n/%N>
//#Stdout:^<0\.0/1>\n(<1\.[01]/2>\n){2}second\nthird\n(<1\.[012]/3>\n){3}end\n$
//#ReferenceFails[gcc]:libgomp writes to standard error
#include "check.h"
#include <omp.h>

static void region(int size)
{
#pragma omp parallel num_threads(size)
    CHECK_EQ(omp_get_num_threads(), size);
}

int main(void)
{
    omp_display_affinity(NULL);
    region(2);
    printf("second\n");
    region(2);
    printf("third\n");
    region(3);
    printf("end\n");
    return check_result();
}
