// What libgomp's plug-ins call of libgomp: memory, messages like those of printf, and the state of OpenACC
// in a thread that executes none.
//#Compilers:gcc
//#Opt:-O0,-O2
//#Threads:1
//#Env:GOMP_DEBUG=1
//#Stderr:plain
//#Stderr:nothing% 1 -2 3.50 four 5 6 7.25 8 nine 10
//#Stderr:debug 1 2.50 3 4 5 6 seven 8.0 9.0 10.0
//#Stderr:ends 1 of 2.5
//#ReferenceFails:three of the functions are for OpenACC and kernels that run by themselves, and end the program here
#include "child.h"
#include <stdlib.h>
#include <string.h>

extern void *GOMP_PLUGIN_malloc(size_t);
extern void *GOMP_PLUGIN_malloc_cleared(size_t);
extern void *GOMP_PLUGIN_realloc(void *, size_t);
extern void GOMP_PLUGIN_debug(int, const char *, ...);
extern void GOMP_PLUGIN_error(const char *, ...);
extern void GOMP_PLUGIN_fatal(const char *, ...) __attribute__((noreturn));
extern void GOMP_PLUGIN_target_task_completion(void *);
extern void *GOMP_PLUGIN_goacc_thread(void);
extern void *GOMP_PLUGIN_acc_thread(void);
extern int GOMP_PLUGIN_acc_default_dim(unsigned);
extern void GOMP_PLUGIN_async_unmap_vars(void *, int);
extern void GOMP_PLUGIN_goacc_profiling_dispatch(void *, void *, void *);

static void memory(void)
{
    char *block = GOMP_PLUGIN_malloc(100), *zeros = GOMP_PLUGIN_malloc_cleared(1000);
    CHECK(block != NULL && zeros != NULL);
    memset(block, 7, 100);
    block = GOMP_PLUGIN_realloc(block, 10000);
    CHECK(block != NULL && block[0] == 7 && block[99] == 7);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(zeros[i], 0);
    free(GOMP_PLUGIN_realloc(NULL, 8));
    free(block);
    free(zeros);
}

// Numbers and floating-point numbers, in registers and on the stack.
static void messages(void)
{
    GOMP_PLUGIN_error("plain");
    GOMP_PLUGIN_error("nothing%% %d %ld %.2f %s %d %d %.2f %d %s %d", 1, -2L, 3.5, "four", 5, 6, 7.25, 8, "nine", 10);
    GOMP_PLUGIN_debug(0, "debug %d %.2f %d %d %d %d %s %.1f %.1f %.1f\n", 1, 2.5, 3, 4, 5, 6, "seven", 8.0, 9.0, 10.0);
}

enum { FATAL, COMPLETION, UNMAP };

static void ends(int how)
{
    pid_t child = fork();
    if (child == 0) {
        if (how == FATAL)
            GOMP_PLUGIN_fatal("ends %d of %.1f", 1, 2.5);
        else if (how == COMPLETION)
            GOMP_PLUGIN_target_task_completion(NULL);
        else
            GOMP_PLUGIN_async_unmap_vars(NULL, 0);
        _exit(0);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

int main(void)
{
    memory();
    messages();
    CHECK(GOMP_PLUGIN_goacc_thread() == NULL && GOMP_PLUGIN_acc_thread() == NULL);
    CHECK_EQ(GOMP_PLUGIN_acc_default_dim(0), 0);
    GOMP_PLUGIN_goacc_profiling_dispatch(NULL, NULL, NULL);
    for (int how = FATAL; how <= UNMAP; how++)
        ends(how);
    return check_result();
}
