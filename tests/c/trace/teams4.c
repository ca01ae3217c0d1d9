// A league that gcc's code of a target region executes by calls, one team after the other.
//#Compilers:gcc
//#Opt:-O0
//#ReferenceFails:libgomp has no tools interface
//#NoStderr
//#Trace
//| primary {
//|     start!
//|     parallel_begin parallel=$p encountering_task=$root exit_frame=none enter_frame=set:application,framepointer requested=2 flags=invoker_program,league codeptr=@BEGIN
//|     initial! $p %t 2 0
//|     implicit_task endpoint=end parallel=null task=%t parallelism=0 index=0 flags=initial
//|     initial! $p %u 2 1
//|     initial_over! $p %u 1 @NEXT
//|     parallel_end parallel=$p encountering_task=$root flags=invoker_program,league codeptr=@NEXT
//|     finish!
//| }
#include <stdbool.h>

extern bool GOMP_teams4(unsigned, unsigned, unsigned, bool);

int main(void)
{
    int teams = 0;
    bool goes_on = GOMP_teams4(2, 2, 0, true); //@BEGIN
    while (goes_on) {
        teams++;
        goes_on = GOMP_teams4(2, 2, 0, false); //@NEXT
    }
    return teams == 2 ? 0 : 1;
}
