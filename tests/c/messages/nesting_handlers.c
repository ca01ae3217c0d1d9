// The handlers of a program that ends for wrong nesting may use what the error was about.
//#Env:KMP_CONSISTENCY_CHECK=all
//#Status:1
//#Stdout:^handler 3\n$
//#Stderr:^OMP: Error: [^\n]*critical is wrongly nested in a critical of the same name at [^\n]*\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:libgomp has no check, libomp another text
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int count;

static void handler(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp critical(other)
    count += 3;
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    printf("handler %d\n", count);
}

static void again(void)
{
#pragma omp critical(name)
    count++;
}

int main(void)
{
    // The check begins with the runtime.
    omp_get_max_threads();
    atexit(handler);
#pragma omp critical(name)
    again();
    return 0;
}
