// Threads that wait for long are not told that they wait for themselves if the holder's stack lies
// 4 GiB from theirs, where the frames of both have the same low bits.
//#Vary:KMP_CONSISTENCY_CHECK=none|all
//#Flags:-pthread
//#Timeout:60
//#NoStderr
#include "check.h"
#include <omp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAIRS = 2, STACK = 1 << 20 };
#define APART (1ul << 32)

static int entered[PAIRS], has_mutex[PAIRS];
static omp_lock_t lock;

struct part {
    int pair, is_first;
};

static void inside(const struct part *part)
{
    __atomic_store_n(&has_mutex[part->pair], 1, __ATOMIC_SEQ_CST);
    // The runtime looks for mistakes after two seconds.
    if (part->is_first)
        sleep(3);
    entered[part->pair]++;
}

static void *enter(void *argument)
{
    const struct part *part = argument;
    while (!part->is_first && !__atomic_load_n(&has_mutex[part->pair], __ATOMIC_SEQ_CST))
        usleep(1000);
    if (part->pair == 0) {
#pragma omp critical
        inside(part);
    } else {
        omp_set_lock(&lock);
        inside(part);
        omp_unset_lock(&lock);
    }
    return NULL;
}

// Starts a thread that has a stack there.
static pthread_t start(char *stack, struct part *part)
{
    pthread_t thread;
    pthread_attr_t attributes;
    CHECK_EQ(mprotect(stack, STACK, PROT_READ | PROT_WRITE), 0);
    pthread_attr_init(&attributes);
    CHECK_EQ(pthread_attr_setstack(&attributes, stack, STACK), 0);
    CHECK_EQ(pthread_create(&thread, &attributes, enter, part), 0);
    pthread_attr_destroy(&attributes);
    return thread;
}

int main(void)
{
    static struct part parts[PAIRS][2];
    pthread_t threads[PAIRS][2];
    omp_init_lock(&lock);
    char *memory = mmap(NULL, APART + PAIRS * STACK, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    for (int pair = 0; pair < PAIRS; pair++) {
        for (int second = 0; second < 2; second++) {
            struct part *part = &parts[pair][second];
            *part = (struct part){pair, !second};
            threads[pair][second] = start(memory + second * APART + pair * STACK, part);
        }
    }
    for (int pair = 0; pair < PAIRS; pair++) {
        pthread_join(threads[pair][0], NULL);
        pthread_join(threads[pair][1], NULL);
        CHECK_EQ(entered[pair], 2);
    }
    return check_result();
}
