// Functions that are declared for indirect calls are called on the device through pointers of the host.
//#Flags:-fopenmp-version=51
#include "check.h"

#pragma omp begin declare target indirect
int twice(int value)
{
    return 2 * value;
}

int square(int value)
{
    return value * value;
}
#pragma omp end declare target

struct step {
    int (*function)(int);
    int argument;
};

int main(void)
{
    int (*chosen)(int) = twice, result = 0;
#pragma omp target map(from : result) firstprivate(chosen)
    result = chosen(21);
    CHECK_EQ(result, 42);
    struct step steps[2] = {{twice, 5}, {square, 5}};
#pragma omp target parallel for map(tofrom : steps)
    for (int i = 0; i < 2; i++)
        steps[i].argument = steps[i].function(steps[i].argument);
    CHECK_EQ(steps[0].argument, 10);
    CHECK_EQ(steps[1].argument, 25);
    CHECK(steps[0].function == twice && steps[1].function == square);
    return check_result();
}
