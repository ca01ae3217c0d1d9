// Threads open the library, run its kernels and close it, while other threads run the program's.
//#Library:image.c
//#Timeout:60
//#StockFails:it hangs: registration holds the loader's lock and waits for the one of a kernel that loads its image
#include "check.h"
#include "opened_library.h"
#include <pthread.h>

enum { TURNS = 40 };

static void *opens(void *unused)
{
    for (int turn = 0; turn < TURNS; turn++) {
        void *library = open_library();
        int values[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        int (*sum)(const int *, int) = (int (*)(const int *, int))dlsym(library, "image_sum");
        CHECK(sum != NULL && sum(values, 10) == 55);
        dlclose(library);
    }
    return unused;
}

static void *runs(void *unused)
{
    for (int turn = 0; turn < 20 * TURNS; turn++) {
        int value = turn;
#pragma omp target map(tofrom : value)
        value = value * 2 + 1;
        CHECK_EQ(value, turn * 2 + 1);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i % 2 ? runs : opens, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return check_result();
}
