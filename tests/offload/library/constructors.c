// Images have constructors that use the runtime. Threads open and close such a library while another one's
// constructs are the first after it has come: none waits for ever.
//#Library:slow_image.c
//#Timeout:60
//#StockFails:it hangs: registration holds the loader's lock and waits for the one of a kernel that loads its image
#include "check.h"
#include "opened_library.h"
#include <omp.h>
#include <pthread.h>

enum { TURNS = 50 };

static volatile int open_end;

static void *opens(void *unused)
{
    for (int turn = 0; turn < TURNS; turn++) {
        void *library = open_library();
        int (*built)(void) = (int (*)(void))dlsym(library, "image_built");
        if (turn % 2 == 0)
            CHECK(built() >= 1000);
        dlclose(library);
    }
    open_end = 1;
    return unused;
}

static void *runs(void *unused)
{
    while (!open_end) {
        int value = 1;
#pragma omp target map(tofrom : value)
        value = value * 2 + 1;
        CHECK_EQ(value, 3);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    // LLVM's libomp asks the loader as it begins, with a lock held that the constructors want.
    omp_get_max_threads();
    pthread_create(&threads[0], NULL, opens, NULL);
    pthread_create(&threads[1], NULL, runs, NULL);
    pthread_create(&threads[2], NULL, runs, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return check_result();
}
