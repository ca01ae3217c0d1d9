/* A region, and children of fork(2), one after the other: one with no region, which after a while
 * has a child with three; one that pauses, and goes on after two regions with four; one that ends the
 * recording; one whose first regions four new threads begin at once, ten each. At the end it prints
 * for how long the first one's child lived, ns. */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

/* Shared with the children. */
static int64_t *lived;
static int (*control)(int, int, void *);
static pthread_barrier_t all;

static void regions(int count)
{
    for (int i = 0; i < count; i++) {
        int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
        members += 1;
        if (members != 2)
            _exit(99);
    }
}

static void with_child(void)
{
    int status = 0;
    usleep(300000);
    int64_t begin = now_ns();
    pid_t child = fork();
    if (child == 0) {
        regions(3);
        exit(0);
    }
    waitpid(child, &status, 0);
    *lived = now_ns() - begin;
    exit(WEXITSTATUS(status));
}

static void with_pause(void)
{
    int told = control(2, 0, NULL);
    regions(2);
    told = told * 10 + control(1, 0, NULL);
    regions(4);
    exit(told);
}

static void with_end(void)
{
    int told = control(4, 0, NULL);
    regions(5);
    exit(told);
}

static void *ten(void *unused)
{
    pthread_barrier_wait(&all);
    regions(10);
    return unused;
}

static void with_threads(void)
{
    pthread_t threads[4];
    pthread_barrier_init(&all, NULL, 4);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, ten, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    exit(0);
}

int main(void)
{
    void (*const children[])(void) = {with_child, with_pause, with_end, with_threads};
    /* gcc 12 does not declare omp_control_tool, and its libgomp does not have it. */
    control = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    if (control == NULL)
        return 1;
    lived = mmap(NULL, sizeof *lived, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (lived == MAP_FAILED)
        return 1;
    regions(1);
    for (int i = 0; i < 4; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            children[i]();
        waitpid(child, &status, 0);
        printf("%d ", WEXITSTATUS(status));
        fflush(stdout);
    }
    printf("end %lld\n", (long long)*lived);
    return 0;
}
