// Data of a thread have destructors that offload, in all rounds of the thread's end: the device makes a library
// ready that they open.
//#Library:image.c
//#LibompFails:it ends by a signal, with either libomptarget
//#StockFails:it ends by a signal
#include "check.h"
#include "opened_library.h"
#include <pthread.h>

static pthread_key_t key;
static int rounds;

static void use_library(void)
{
    void *library = open_library();
    int (*count)(int) = (int (*)(int))dlsym(library, "image_count");
    CHECK(count != NULL && count(5) == 105);
    dlclose(library);
}

static void destroy(void *data)
{
    use_library();
    if (++rounds < 4)
        pthread_setspecific(key, data);
}

static void *ends(void *data)
{
    use_library();
    pthread_setspecific(key, data);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    CHECK_EQ(pthread_key_create(&key, destroy), 0);
    pthread_create(&thread, NULL, ends, &rounds);
    pthread_join(thread, NULL);
    CHECK_EQ(rounds, 4);
    return check_result();
}
