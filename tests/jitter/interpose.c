// The functions of the C library that the jitter library stands before.
#define _GNU_SOURCE
#include "preempt.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// The function of this name that the program would have called, of the type of `like`.
#define NEXT(like)                                                                                 \
    ({                                                                                             \
        static __typeof__(&like) next;                                                             \
        if (!__atomic_load_n(&next, __ATOMIC_RELAXED))                                             \
            __atomic_store_n(&next, (__typeof__(&like))find(#like), __ATOMIC_RELAXED);             \
        next;                                                                                      \
    })

static void *find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        preempt_fail("a function of the C library is missing");
    return function;
}

// Threads.

struct start {
    void *(*function)(void *);
    void *argument;
};

static void *start_thread(void *memory)
{
    struct start start = *(struct start *)memory;
    free(memory);
    preempt_this_thread();
    return start.function(start.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    preempt_begin();
    struct start *start = malloc(sizeof *start);
    if (!start)
        preempt_fail("no memory");
    *start = (struct start){function, argument};
    int error = NEXT(pthread_create)(thread, attributes, start_thread, start);
    if (error != 0)
        free(start);
    return error;
}

// Sleep. A handler ends it early, even one that wants calls restarted, so ours must not run; a
// thread that sleeps has lost its processor anyway.

#define UNDISTURBED(call)                                                                          \
    ({                                                                                             \
        sigset_t before;                                                                           \
        preempt_hold(&before);                                                                     \
        __typeof__(call) result = call;                                                            \
        preempt_release(&before);                                                                  \
        result;                                                                                    \
    })

int nanosleep(const struct timespec *length, struct timespec *left)
{
    return UNDISTURBED(NEXT(nanosleep)(length, left));
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    return UNDISTURBED(NEXT(clock_nanosleep)(clock, flags, time, left));
}

int usleep(useconds_t length)
{
    return UNDISTURBED(NEXT(usleep)(length));
}

unsigned sleep(unsigned length)
{
    return UNDISTURBED(NEXT(sleep)(length));
}

int pause(void)
{
    return UNDISTURBED(NEXT(pause)());
}

// The signal.

static void refuse(int number)
{
    if (number == PREEMPT_SIGNAL)
        preempt_fail("the program uses the signal of this library");
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (action && action->sa_sigaction != preempt_on_timer)
        refuse(number);
    return NEXT(sigaction)(number, action, before);
}

sighandler_t signal(int number, sighandler_t handler)
{
    refuse(number);
    return NEXT(signal)(number, handler);
}
