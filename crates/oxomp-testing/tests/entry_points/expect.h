/* Expectations that were not met, and their number. */
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wrong;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            atomic_fetch_add(&wrong, 1);                                                           \
        }                                                                                          \
    } while (0)
