// Jitter, preloaded: every thread of the program is stopped at random points for a while, as if it
// had lost its processor. A timer of its own sends the thread a signal, whose handler sleeps and
// sets the timer anew. So a thread always gets on between two naps, however long they are. One that
// sleeps in a system call is woken less and less often, or a thousand of them would keep the machine
// busy: once it works again it is stopped, on average, before it has worked as long as it slept.
//
//   TEST_JITTER=PERIOD,NAP,SEED   microseconds from nap to nap and in a nap, on average; the seed of
//                                 their lengths
//   TEST_JITTER_COUNTS=FILE       where `struct counts` is kept, for all processes of the program
//
// The library starts no thread, keeps no file open and writes nothing, unless it has to give up.
#define _GNU_SOURCE
#include "preempt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

// The status of a program that cannot have jitter.
enum { GIVEN_UP = 119 };

// The number of times that the period of a thread that waits is doubled.
enum { DOUBLINGS = 10 };

// Seconds that the first nap may be late.
enum { LONGEST_WAIT = 20 };

struct counts {
    uint64_t threads; // threads that have got a timer
    uint64_t naps;    // naps that are over
    uint64_t given_up;
};

static struct counts unread;
static struct counts *counts = &unread;
static unsigned long period, nap, seed;
static pthread_key_t thread_end;
// How many threads this process and its ancestors have had: each draws numbers of its own.
static uint64_t ordinal;

// Initial-exec, since the handler must not allocate.
static __thread __attribute__((tls_model("initial-exec"))) struct {
    timer_t timer;
    uint64_t random;
    uint64_t naps;
    unsigned doublings; // of its period
} own;

void preempt_fail(const char *reason)
{
    static const char before[] = "jitter: ";
    __atomic_fetch_add(&counts->given_up, 1, __ATOMIC_RELAXED);
    // Nothing can be done about a write that fails; the status says it too.
    ssize_t written = write(2, before, sizeof before - 1);
    written += write(2, reason, strlen(reason));
    written += write(2, "\n", 1);
    (void)written;
    _exit(GIVEN_UP);
}

// A reproducible sequence (splitmix64).
static uint64_t draw(void)
{
    uint64_t z = own.random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Any time below twice `microseconds`, but for none.
static struct timespec about(unsigned long microseconds)
{
    uint64_t nanoseconds = 1 + draw() % (2000 * microseconds);
    return (struct timespec){(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
}

static void set_timer(void)
{
    struct itimerspec once = {.it_value = about(period << own.doublings)};
    if (timer_settime(own.timer, 0, &once, NULL) != 0)
        preempt_fail("timer_settime failed");
}

// Whether the signal found the thread asleep in a system call, which is called anew or ends early.
static int was_waiting(const ucontext_t *context)
{
#ifdef __x86_64__
    static const unsigned char syscall_instruction[] = {0x0f, 0x05};
    const char *next = (const char *)context->uc_mcontext.gregs[REG_RIP];
    if (memcmp(next, syscall_instruction, sizeof syscall_instruction) == 0)
        return 1;
    return context->uc_mcontext.gregs[REG_RAX] == -EINTR
        && memcmp(next - sizeof syscall_instruction, syscall_instruction,
                  sizeof syscall_instruction) == 0;
#elif defined __aarch64__
    static const unsigned char syscall_instruction[] = {0x01, 0x00, 0x00, 0xd4};
    const char *next = (const char *)context->uc_mcontext.pc;
    if (memcmp(next, syscall_instruction, sizeof syscall_instruction) == 0)
        return 1;
    return (long)context->uc_mcontext.regs[0] == -EINTR
        && memcmp(next - sizeof syscall_instruction, syscall_instruction,
                  sizeof syscall_instruction) == 0;
#else
    (void)context;
    return 0;
#endif
}

// Runs with all signals blocked: a thread without a processor handles none.
void preempt_on_timer(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    if (info->si_code != SI_TIMER)
        return;
    int saved = errno;
    struct timespec length = about(nap);
    // Neither a cancellation point nor the wrapper of this library.
    syscall(SYS_nanosleep, &length, NULL);
    __atomic_fetch_add(&counts->naps, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&own.naps, 1, __ATOMIC_RELAXED);
    if (!was_waiting(context))
        own.doublings = 0;
    else if (own.doublings < DOUBLINGS)
        own.doublings++;
    set_timer();
    errno = saved;
}

void preempt_hold(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, PREEMPT_SIGNAL);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void preempt_release(const sigset_t *before)
{
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = saved;
}

void preempt_this_thread(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = PREEMPT_SIGNAL};
    event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    uint64_t number = __atomic_add_fetch(&ordinal, 1, __ATOMIC_RELAXED);
    own.random = seed * 0xd1342543de82ef95u + number;
    own.naps = own.doublings = 0;
    if (timer_create(CLOCK_MONOTONIC, &event, &own.timer) != 0) {
        // The process has as many timers as the system, or the emulator, gives one.
        if (errno == EAGAIN && number > 1)
            return;
        preempt_fail("timer_create failed");
    }
    if (pthread_setspecific(thread_end, (void *)1) != 0)
        preempt_fail("pthread_setspecific failed");
    __atomic_fetch_add(&counts->threads, 1, __ATOMIC_RELAXED);
    set_timer();
    // A thread may have been created with all signals blocked.
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, PREEMPT_SIGNAL);
    pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

// Returns when the calling thread has been stopped for the first time.
static void await_nap(void)
{
    time_t end = time(NULL) + LONGEST_WAIT;
    while (__atomic_load_n(&own.naps, __ATOMIC_RELAXED) == 0) {
        if (time(NULL) > end)
            preempt_fail("no signal comes");
        sched_yield();
    }
}

// Called in each round of the thread's destructors; the timer goes in the last, so that those of
// others are stopped too.
static void at_thread_end(void *round)
{
    uintptr_t next = (uintptr_t)round + 1;
    if (next <= PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(thread_end, (void *)next);
    } else {
        sigset_t before;
        // For good: what is due would find no timer to set.
        preempt_hold(&before);
        timer_delete(own.timer);
    }
}

static unsigned long number(const char **text, char end)
{
    char *rest;
    errno = 0;
    unsigned long value = strtoul(*text, &rest, 10);
    if (errno != 0 || rest == *text || *rest != end)
        preempt_fail("TEST_JITTER is not PERIOD,NAP,SEED");
    *text = rest + 1;
    return value;
}

static void read_settings(void)
{
    const char *text = getenv("TEST_JITTER"), *file = getenv("TEST_JITTER_COUNTS");
    if (!text)
        preempt_fail("TEST_JITTER is not set");
    period = number(&text, ',');
    nap = number(&text, ',');
    seed = number(&text, '\0');
    if (period == 0 || nap == 0)
        preempt_fail("a period or a nap of no length");
    if (!file)
        return;
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    // A file that is long enough stays as it is: the processes of a program share it.
    if (fd < 0 || posix_fallocate(fd, 0, sizeof *counts) != 0)
        preempt_fail("the file TEST_JITTER_COUNTS cannot be written");
    void *memory = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        preempt_fail("the file TEST_JITTER_COUNTS cannot be mapped");
    counts = memory;
    close(fd);
}

__attribute__((constructor)) void preempt_begin(void)
{
    static int begun;
    if (begun)
        return;
    begun = 1;
    read_settings();
    struct sigaction action = {.sa_sigaction = preempt_on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigfillset(&action.sa_mask);
    if (sigaction(PREEMPT_SIGNAL, &action, NULL) != 0)
        preempt_fail("sigaction failed");
    // Timers are not inherited by the child of a fork(2).
    if (pthread_key_create(&thread_end, at_thread_end) != 0
        || pthread_atfork(NULL, NULL, preempt_this_thread) != 0)
        preempt_fail("no memory");
    preempt_this_thread();
    // The proof that threads of this process can be stopped.
    await_nap();
}
