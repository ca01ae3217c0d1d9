/* A program that puts a file of its own, which holds one byte, under every descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <unistd.h>

#include "burn.h"

enum { MOST = 300, REGIONS = 4000 };

/* dup2(2): EBUSY while another thread, here the collector's, is between taking a number and
   opening a file under it. */
static int put(int file, int number)
{
    int found;
    do
        found = dup2(file, number);
    while (found < 0 && errno == EBUSY);
    return found;
}

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
        if (number != own && put(own, number) != number)
            return 1;
    /* More events than the part of the recording that is reserved takes. */
    for (int count = 0; count < REGIONS; count++)
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
        for (int at = 0; at < 8; at++)
            burn(1);
    print_fact("bytes", lseek(own, 0, SEEK_END));
    return 0;
}
