// The error directive: its severity, its message with length, and its place, before the user reads it.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#Stderr:take care
//#Trace
//| primary {
//|     start!
//|     error severity=warning length=9 codeptr=@FIRST message=take\x20care
//|     error severity=warning length=0 codeptr=@SECOND message=
//|     finish!
//| }
#include <omp.h>

int main(void)
{
    int level = omp_get_level();
#pragma omp error at(execution) severity(warning) message("take care") //@FIRST
    level++; //@FIRST
#pragma omp error at(execution) severity(warning) //@SECOND
    level++; //@SECOND
    return level == 2 ? 0 : 1;
}
