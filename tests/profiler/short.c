// Three hundred threads of the program's own, one after the other, each with a region.
#include <pthread.h>
#include <stdio.h>

static volatile int passed;

static void *root(void *unused)
{
#pragma omp parallel num_threads(1)
    passed++;
    return unused;
}

int main(void)
{
    for (int number = 0; number < 300; number++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, root, NULL) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    puts("done");
    return 0;
}
