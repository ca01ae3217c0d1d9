// Checks for the test programs: a failed one is reported on standard error and remembered, and
// `return check_result();` at the end of main makes it the program's status. Any thread may check.
#ifndef OXOMP_CHECK_H
#define OXOMP_CHECK_H

#include <stdio.h>

static int check_failures;

// Reports of a loop that goes wrong would be endless.
#define CHECK_REPORTS 20

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition) && __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) < CHECK_REPORTS) \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
    } while (0)

#define CHECK_EQ(found, wanted)                                                                    \
    do {                                                                                           \
        long long check_found = (long long)(found), check_wanted = (long long)(wanted);            \
        if (check_found != check_wanted                                                            \
            && __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) < CHECK_REPORTS)           \
            fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #found,           \
                    check_found, check_wanted);                                                    \
    } while (0)

static inline int check_result(void)
{
    return __atomic_load_n(&check_failures, __ATOMIC_RELAXED) ? 1 : 0;
}

#endif
