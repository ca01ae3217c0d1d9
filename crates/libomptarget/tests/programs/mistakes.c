// Mapping mistakes, one for each number; those who run it know the lines of the constructs.
#include <stdlib.h>

static int numbers[100];

static void absent(int *heap)
{
#pragma omp target map(present, tofrom : heap[0 : 10])
    heap[0] = 1;
}

static void extends(void)
{
#pragma omp target data map(tofrom : numbers[10 : 20])
#pragma omp target map(tofrom : numbers[0 : 50])
    numbers[0] = 1;
}

static void update(int *heap)
{
#pragma omp target update from(present : heap[0 : 10])
}

static void leave(void)
{
#pragma omp target enter data map(to : numbers[10 : 20])
#pragma omp target exit data map(from : numbers[0 : 50])
}

static void device(void)
{
#pragma omp target device(77)
    numbers[0] = 1;
}

int main(int count, char **arguments)
{
    int *heap = malloc(400), which = count > 1 ? atoi(arguments[1]) : 0;
    if (which == 1)
        absent(heap);
    if (which == 2)
        extends();
    if (which == 3)
        update(heap);
    if (which == 4)
        leave();
    if (which == 5)
        device();
    free(heap);
    return 0;
}
