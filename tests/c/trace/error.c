// The error directive: its severity, its message with length, and its place, before the user reads it.
//#Env:OMP_NUM_THREADS=1
//#Opt:-O0
//#Stderr:take care
//#Trace
//| primary {
//|     start!
//|     error severity=warning length=9 codeptr=@FIRST message=take\x20care
//|     error severity=warning length=0 codeptr=@SECOND message=
//|     error severity=warning length=70 codeptr=@THIRD message=0123456789012345678901234567890123456789012345678901234567890123
//|     finish!
//| }
#include <omp.h>

// The recorder keeps 64 bytes of a message.
#define LONG "0123456789012345678901234567890123456789012345678901234567890123456789"

int main(void)
{
    int level = omp_get_level();
#pragma omp error at(execution) severity(warning) message("take care") //@FIRST
    level++; //@FIRST
#pragma omp error at(execution) severity(warning) //@SECOND
    level++; //@SECOND
#pragma omp error at(execution) severity(warning) message(LONG) //@THIRD
    level++; //@THIRD
    return level == 3 ? 0 : 1;
}
