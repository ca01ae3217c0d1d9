// A section whose length is negative ends the program, whatever the construct does with it; the message
// names the variable, its size, the place and what to do. A length of 0 is legal.
//#StockFails:it asks the device for that much, or does nothing
//#Stderr:negative \(-20 bytes\): variable p\[0:length\] .*negative\.c:19:.*; a section has a length of at least 0
//#Stderr:negative \(-20 bytes\): .*negative\.c:25:
//#Stderr:negative \(-20 bytes\): .*negative\.c:32:
//#Stderr:negative \(-20 bytes\): .*negative\.c:37:
//#Stderr:negative \(-20 bytes\): .*negative\.c:42:
//#Stderr:negative \(-20 bytes\): .*negative\.c:47:
//#Stderr:reaches beyond the address space: variable q\[.*negative\.c:54:
#include "mistake.h"

static int array[100], length;
static int *const volatile place = array;

static void region(void)
{
    int *p = place, ran = 0;
#pragma omp target map(tofrom : p[0 : length]) map(tofrom : ran)
    ran = 1;
}
static void data(void)
{
    int *p = place, ran = 0;
#pragma omp target data map(tofrom : p[0 : length])
    ran = 1;
    CHECK_EQ(ran, 1);
}
static void enter(void)
{
    int *p = place;
#pragma omp target enter data map(to : p[0 : length])
}
static void leave(void)
{
    int *p = place;
#pragma omp target exit data map(from : p[0 : length])
}
static void update(void)
{
    int *p = place;
#pragma omp target update to(p[0 : length])
}
static void strided(void)
{
    int *p = place;
#pragma omp target update from(p[0 : length : 2])
}

static void beyond(void)
{
    char *volatile last = (char *)-50;
    char *q = last;
#pragma omp target enter data map(alloc : q[0 : 100])
}

static void (*const mistakes[])(void) = {region, data, enter, leave, update, strided};

static void all_legal(void)
{
    for (unsigned i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        mistakes[i]();
    _exit(check_result());
}

int main(void)
{
    length = -5;
    for (unsigned i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        must_end(mistakes[i]);
    must_end(beyond);
    int status = 0;
    length = 0;
    pid_t child = fork();
    if (child == 0)
        all_legal();
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    return check_result();
}
