// The error directive in a member function of C++, and without warnings.
//#Vary:KMP_WARNINGS=on|off
//#Opt:-O0
//#Stderr:^(OMP: Warning: .*(_ZN5Guard5enterEi\+0x[0-9a-f]+ \(\S+\)|error_cpp\.cpp:\d+:\d+): Encountered user-directed warning: negative\.\n)?$
//#ReferenceFails:libomp numbers its messages, libgomp has another text and no switch
#include <cstdio>

struct Guard {
    int entered = 0;
    __attribute__((noinline)) void enter(int depth);
};

void Guard::enter(int depth)
{
    if (depth < 0) {
#pragma omp error at(execution) severity(warning) message("negative")
    }
    entered++;
}

int main()
{
    Guard guard;
    guard.enter(1);
    guard.enter(-1);
    return guard.entered == 2 ? 0 : 1;
}
