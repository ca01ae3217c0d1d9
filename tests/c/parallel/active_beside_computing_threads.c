// The regions of beside_computing_threads.c with more threads than processors and an active wait
// policy: the threads of the team give their processors up for time slices only now and then.
//#Needs:2 processors
//#Threads:4
//#Env:OMP_WAIT_POLICY=active
//#Timeout:120
//#NoStderr
//#ReferenceFails[clang]:libomp: a wait costs a time slice
//#NotEmulated:its time would be the emulator's

// Eight threads share two processors here, and where each wait costs a time slice there are less
// than 200 regions.
#define LEAST_REGIONS 500
#include "beside_computing_threads.c"
