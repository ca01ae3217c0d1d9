/* A program that puts a file of its own, which holds one byte, under every descriptor. */
#include <fcntl.h>
#include <omp.h>
#include <unistd.h>

#include "burn.h"

enum { MOST = 300, REGIONS = 4000 };

int main(int words, char **word)
{
    if (words < 2)
        return 1;
    omp_get_max_threads();
    long steps = burn_steps(1);
#pragma omp parallel num_threads(2)
    burn(steps);
    int own = open(word[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (own < 0 || write(own, "x", 1) != 1)
        return 1;
    for (int number = 3; number < MOST; number++)
        if (number != own && dup2(own, number) != number)
            return 1;
    /* More events than the part of the recording that is reserved takes. */
    for (int count = 0; count < REGIONS; count++)
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
        for (int at = 0; at < 8; at++)
            burn(1);
    print_fact("bytes", lseek(own, 0, SEEK_END));
    return 0;
}
