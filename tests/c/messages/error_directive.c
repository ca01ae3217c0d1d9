// The error directive at execution time: a warning is told where it is met, and the program goes on.
//#Flags:-g
//#Opt:-O0,-O2
//#Env:OMP_NUM_THREADS=2
//#Stdout:^on\nafter\n$
//#Stderr[clang]:^OMP: Warning: \S*error_directive\.c:15:1: Encountered user-directed warning: take care\.\nOMP: Warning: \S*error_directive\.c:18:1: Encountered user-directed warning\.\n$
//#Stderr[gcc]:^OMP: Warning: main\+0x[0-9a-f]+ \(\S+\): Encountered user-directed warning: take care\.\nOMP: Warning: main\+0x[0-9a-f]+ \(\S+\): Encountered user-directed warning\.\n$
//#ReferenceFails:libomp numbers its messages, libgomp has another text
#include <omp.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
#pragma omp error at(execution) severity(warning) message("take care")
    printf("on\n");
    fflush(stdout);
#pragma omp error at(execution) severity(warning)
    printf("after\n");
    return 0;
}
