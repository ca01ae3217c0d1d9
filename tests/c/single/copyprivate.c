// copyprivate hands the values of the thread that ran the block to all others.
//#Opt:-O0,-O2
//#Threads:1,2,4
//#NoStderr
#include "check.h"
#include <omp.h>

int main(void)
{
#pragma omp parallel
    {
        int number;
        double value;
        char text[16];
        for (int round = 0; round < 500; round++) {
            number = -1;
            value = 0;
            text[0] = 'x';
#pragma omp single copyprivate(number, value, text)
            {
                number = round;
                value = round + 0.5;
                text[0] = 'a';
            }
            CHECK_EQ(number, round);
            CHECK(value == round + 0.5);
            CHECK_EQ(text[0], 'a');
        }
    }
    return check_result();
}
