// A thread reads its input inside of a critical until the end, while another waits for the critical.
//#Verdict:none
//#Prints:ready
//#Prints:over
#include "planted.h"
#include <stdlib.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            meet(2);
#pragma omp critical(input) //@WAITS
        {
            if (omp_get_thread_num() == 0) {
                meet(2);
                puts("ready");
                fflush(stdout);
                while (getchar() != EOF)
                    ;
                puts("over");
            }
        }
    }
    return 0;
}
