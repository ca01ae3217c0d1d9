// Threads sleep on locks although a filter of system calls, as containers have them, refuses
// membarrier(2), and a timer interrupts their sleeps.
//#Env:OMP_NUM_THREADS=4
//#Timeout:60
//#NoStderr
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { ROUNDS = 60, LONG_US = 200 };

static void refuse_membarrier(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    // A sandbox that permits no filter of ours has the locks tested as they are.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0)
        CHECK_EQ(syscall(SYS_membarrier, 0, 0, 0), -1);
}

static void nothing(int signal)
{
    (void)signal;
}

static void interrupt_often(void)
{
    struct sigaction action = {.sa_handler = nothing};
    CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
    struct itimerval often = {{0, 300}, {0, 300}};
    CHECK_EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
}

static void spend_long(void)
{
    double end = omp_get_wtime() + LONG_US * 1e-6;
    while (omp_get_wtime() < end)
        ;
}

int main(void)
{
    refuse_membarrier();
    interrupt_often();
    omp_lock_t lock;
    omp_init_lock(&lock);
    long locked = 0, critical = 0;
#pragma omp parallel
    for (int round = 0; round < ROUNDS; round++) {
        omp_set_lock(&lock);
        locked++;
        spend_long();
        omp_unset_lock(&lock);
#pragma omp critical
        {
            critical++;
            spend_long();
        }
    }
    omp_destroy_lock(&lock);
    CHECK_EQ(locked, ROUNDS * 4L);
    CHECK_EQ(critical, ROUNDS * 4L);
    return check_result();
}
