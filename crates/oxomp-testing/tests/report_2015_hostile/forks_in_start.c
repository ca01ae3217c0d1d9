/* A thread calls fork(2) while another one starts the runtime: that one is in the tool, in the
 * function that WHERE names. The child uses OpenMP. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef NEWER
#include <omp-tools.h>
#else
#include <ompt.h>
#endif

static pid_t parent;
static atomic_int is_there, goes_on;

/* In the parent, the tool waits in the function until there has been a child. */
static void is_in(const char *function) {
    if (getpid() != parent || strcmp(getenv("WHERE"), function) != 0)
        return;
    is_there = 1;
    while (!goes_on)
        sched_yield();
}

#ifdef NEWER
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)lookup, (void)device, (void)data;
    is_in("initializer");
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    is_in("search");
    return &result;
}
#else
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned int version) {
    (void)lookup, (void)runtime, (void)version;
    is_in("initializer");
}

ompt_initialize_fn_t ompt_tool(void) {
    is_in("search");
    return initialize;
}
#endif

static int region(void) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
    return sum;
}

static void *use(void *nothing) {
    printf("thread: %d\n", region());
    return nothing;
}

/* A tool of OpenMP 5 in a program with constructors starts after them, at the first call. */
__attribute__((constructor)) static void note(void) {
    parent = getpid();
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    while (!is_there)
        sched_yield();
    pid_t child = fork();
    if (child == 0) {
        printf("child: %d\n", region());
        return 3;
    }
    int status;
    waitpid(child, &status, 0);
    printf("parent: %d\n", WEXITSTATUS(status));
    goes_on = 1;
    pthread_join(thread, NULL);
    return 0;
}
