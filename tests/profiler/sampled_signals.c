/* Signals, masks, sleeps and errno are the program's own. With an argument it handles SIGURG. */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "burn.h"

static volatile sig_atomic_t received;
static volatile sig_atomic_t urgent;

static void count(int number)
{
    (void)number;
    received++;
}

static ucontext_t outside, inside;

/* Works on a stack of sixteen KiB. */
static void work_inside(void)
{
    burn(burn_steps(20));
}

static void count_urgent(int number)
{
    (void)number;
    urgent++;
}

int main(int words, char **word)
{
    (void)word;
    omp_get_max_threads();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = count;
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        sigaction(number, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
    /* A small stack for signal handlers, and one for a coroutine. */
    static char for_signals[8192], for_work[16384];
    stack_t stack = {.ss_sp = for_signals, .ss_size = sizeof for_signals};
    sigaltstack(&stack, NULL);
    getcontext(&inside);
    inside.uc_stack.ss_sp = for_work;
    inside.uc_stack.ss_size = sizeof for_work;
    inside.uc_link = &outside;
    makecontext(&inside, work_inside, 0);
    swapcontext(&outside, &inside);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    getcontext(&inside);
    makecontext(&inside, work_inside, 0);
    swapcontext(&outside, &inside);
    if (words > 1) {
        action.sa_handler = count_urgent;
        sigaction(SIGURG, &action, NULL);
    }
    long steps = burn_steps(2);
    int interrupted = 0, raised = 0, changed = 0;
    sigset_t before, after;
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    sigprocmask(SIG_SETMASK, NULL, &before);
    for (int round = 0; round < 60; round++) {
        errno = 77;
        burn(steps);
        changed += errno != 77;
        struct timespec time = {.tv_sec = 0, .tv_nsec = 1000000};
        interrupted += nanosleep(&time, NULL) != 0;
        int numbers[] = {SIGRTMIN + round % 8, SIGUSR1, SIGPROF};
        for (int at = 0; at < 3; at++)
            raised += raise(numbers[at]) == 0;
#pragma omp parallel num_threads(2)
        burn(steps / 4);
    }
    sigprocmask(SIG_SETMASK, NULL, &after);
    changed += memcmp(&before, &after, sizeof before) != 0;
    print_fact("interrupted", interrupted);
    print_fact("changed", changed);
    print_fact("missing", raised - received);
    print_fact("urgent", urgent);
    return 0;
}
