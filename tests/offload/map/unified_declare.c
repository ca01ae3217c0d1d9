// With requires unified_shared_memory a declare target variable is the host's own, whatever its clause.
#include "check.h"
#include <stdlib.h>

#pragma omp requires unified_shared_memory

static int listed[4] = {1, 2, 3, 4};
static int linked[4] = {5, 6, 7, 8};
static int *pointer;
#pragma omp declare target to(listed, pointer) link(linked)

int main(void)
{
    pointer = malloc(sizeof *pointer);
    *pointer = 40;
    listed[1] = 20;
    linked[2] = 70;
#pragma omp target map(tofrom : pointer[0 : 1])
    {
        listed[0] += listed[1];
        linked[0] += linked[2];
        *pointer += 2;
    }
    CHECK_EQ(listed[0], 21);
    CHECK_EQ(linked[0], 75);
    CHECK_EQ(*pointer, 42);
    free(pointer);
    return check_result();
}
