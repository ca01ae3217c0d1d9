// No growth of memory: what the program has resident after many rounds is what it had after the
// first thousand, plus a megabyte, or what the program defines.
#ifndef GROWTH_H
#define GROWTH_H

#include "check.h"
#include "resident.h"
#include <stdlib.h>

enum { GROWTH_WARM = 1000 };

#ifndef GROWTH_MOST_KIB
#define GROWTH_MOST_KIB 1024
#endif

// `rounds(n)` does n of what must not grow. The program's argument is how many there are.
static void check_growth(void (*rounds)(long), int arguments, char **argument)
{
    long count = arguments > 1 ? atol(argument[1]) : 10 * GROWTH_WARM;
    rounds(GROWTH_WARM);
    long before = resident();
    rounds(count - GROWTH_WARM);
    long after = resident();
    if (after > before + GROWTH_MOST_KIB)
        fprintf(stderr, "%ld KiB after the first thousand, %ld KiB after %ld\n", before, after, count);
    CHECK(after <= before + GROWTH_MOST_KIB);
}

#endif
