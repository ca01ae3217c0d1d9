// A fatal error directive ends the program, in a region too, with one line and status 1; what the program
// has printed is not lost.
//#Flags:-g
//#Vary:OMP_NUM_THREADS=1|4
//#Status:1
//#Stdout:^before\n$
//#Stderr[clang]:^OMP: Error: \S*error_fatal\.c:19:1: Encountered user-directed error: the end\.\n$
//#Stderr[gcc]:^OMP: Error: main\._omp_fn\.0\+0x[0-9a-f]+ \(\S+\): Encountered user-directed error: the end\.\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:libomp aborts, libgomp has another text
#include <stdio.h>

int main(void)
{
    printf("before\n");
#pragma omp parallel
    {
        // Several threads get here; one speaks.
#pragma omp error at(execution) severity(fatal) message("the end")
    }
    printf("never\n");
    return 0;
}
