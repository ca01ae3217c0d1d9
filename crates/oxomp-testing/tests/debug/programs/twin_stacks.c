// Two threads wait for each other's lock, with stacks that lie 4 GiB apart: an address in the one
// has the low bits of an address in the other, to which that thread has not come. The lock is the
// first thing of OpenMP that they meet.
//#Verdict:deadlock
//#Says:lock\s+right\s+at\s+@WAIT_RIGHT,\s+which\s+thread\s+0\s+\(lwp\s+[0-9]+\)\s+holds
//#Says:lock\s+left\s+at\s+@WAIT_LEFT,\s+which\s+thread\s+0\s+\(lwp\s+[0-9]+\)\s+holds
#include "planted.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t TWINS = (size_t)1 << 32, STACK = 8 << 20, SHIFT = 2 << 20;

static omp_lock_t left, right;

static void *has_left(void *unused)
{
    omp_set_lock(&left);
    meet(2);
    omp_set_lock(&right); //@WAIT_RIGHT
    return unused;
}

static void *has_right(void *unused)
{
    omp_set_lock(&right);
    meet(2);
    omp_set_lock(&left); //@WAIT_LEFT
    return unused;
}

static pthread_t start(void *(*code)(void *), char *stack)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (mprotect(stack, STACK, PROT_READ | PROT_WRITE) != 0 ||
        pthread_attr_setstack(&attributes, stack, STACK) != 0 ||
        pthread_create(&thread, &attributes, code, NULL) != 0)
        abort();
    return thread;
}

int main(void)
{
    omp_init_lock(&left);
    omp_init_lock(&right);
    char *memory = mmap(NULL, TWINS + 2 * STACK, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    // The end of the second stack, where its thread is, has a twin inside of the first.
    pthread_t first = start(has_left, memory + SHIFT);
    pthread_t second = start(has_right, memory + TWINS);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    puts("over");
    return 0;
}
