// What the two sources of the jitter library share.
#ifndef OXOMP_PREEMPT_H
#define OXOMP_PREEMPT_H

#include <signal.h>

// Programs take their real-time signals from either end of the range; this one lies between. The
// library ends a program that wants it for itself.
#define PREEMPT_SIGNAL (SIGRTMAX - 9)

// Reads the settings and begins with the first thread; does nothing when called again.
void preempt_begin(void);

// From here on to its end the calling thread is stopped again and again.
void preempt_this_thread(void);

// The handler of the signal.
void preempt_on_timer(int signal, siginfo_t *info, void *context);

// Between the two the calling thread is not stopped: what is due waits until the release.
void preempt_hold(sigset_t *before);
void preempt_release(const sigset_t *before);

// Ends the process, with the reason on standard error: a run without jitter must not pass for one
// with it.
_Noreturn void preempt_fail(const char *reason);

#endif
