/* A program that makes its tool ready in `main`, then uses OpenMP for the first time. Arguments: the
 * way, and for some ways the tool's library. */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, TOGETHER = 3, ROUNDS = 200 };
static pthread_barrier_t together;
static void *library;

static void say(const char *what, int number) {
    char line[100];
    int length = snprintf(line, sizeof line, "program: %s%d\n", what, number);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(99);
}

static void region(void) {
    atomic_int threads = 0;
#pragma omp parallel num_threads(2)
    threads++;
    if (threads != 2)
        say("threads=", threads);
}

/* A function of its own: clang has one with a construct call the runtime at its begin. */
static void critical(void) {
#pragma omp critical
    say("critical=", 1);
}

/* As tools' own programs do: by name, wherever the tool is. */
static void make_ready(void) {
    void *function = dlsym(library ? library : RTLD_DEFAULT, "become_ready");
    if (!function)
        exit(98);
    ((void (*)(void))function)();
}

static void load(const char *name, int scope) {
    library = dlopen(name, RTLD_NOW | scope);
    if (!library) {
        say(dlerror(), 0);
        exit(97);
    }
}

static void unload(void) {
    dlclose(library);
}

static void *on_thread(void *unused) {
    pthread_barrier_wait(&together);
    region();
    return unused;
}

static void threads_at_once(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, on_thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* Returns in both processes, in the parent after the child's end. */
static int is_child_of_fork(void) {
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        return 1;
    if (waitpid(child, &status, 0) != child || status != 0)
        say("child's status=", status);
    return 0;
}

static void *on_thread_of_many(void *unused) {
    pthread_barrier_wait(&together);
    for (int i = 0; i < ROUNDS; i++)
        region();
    return unused;
}

/* Closes the tool's library, and forks, while other threads execute regions. */
static void unload_amid_regions(void) {
    pthread_t threads[TOGETHER];
    void (*begin_anew)(void) = (void (*)(void))dlsym(library, "begin_anew");
    pthread_barrier_init(&together, NULL, TOGETHER + 1);
    for (int i = 0; i < TOGETHER; i++)
        pthread_create(&threads[i], NULL, on_thread_of_many, NULL);
    pthread_barrier_wait(&together);
    region();
    unload();
    int is_child = is_child_of_fork();
    if (is_child)
        begin_anew();
    region();
    for (int i = 0; i < TOGETHER && !is_child; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    const char *way = argv[1];
    const char *tool = argc > 2 ? argv[2] : "";
    if (strcmp(way, "plain") == 0) {
        make_ready();
        region();
    } else if (strcmp(way, "region-before") == 0) {
        region();
        make_ready();
        region();
    } else if (strcmp(way, "pause-before") == 0) {
        region();
        omp_pause_resource_all(omp_pause_hard);
        make_ready();
        region();
    } else if (strcmp(way, "pause") == 0) {
        make_ready();
        region();
        omp_pause_resource_all(omp_pause_soft);
    } else if (strcmp(way, "threads") == 0) {
        make_ready();
        threads_at_once();
    } else if (strcmp(way, "critical") == 0) {
        make_ready();
        critical();
    } else if (strcmp(way, "routine") == 0) {
        make_ready();
        say("routine=", omp_get_wtime() > 0);
    } else if (strcmp(way, "routine-before") == 0) {
        for (int i = 0; i < 3; i++)
            omp_get_wtime();
        make_ready();
        omp_get_wtime();
        region();
    } else if (strcmp(way, "control") == 0) {
        make_ready();
        int result = omp_control_tool(omp_control_tool_start, 0, NULL);
        say("control=", result);
    } else if (strcmp(way, "fork-before") == 0) {
        make_ready();
        is_child_of_fork();
        region();
    } else if (strcmp(way, "fork-child-ready") == 0) {
        if (is_child_of_fork())
            make_ready();
        region();
    } else if (strcmp(way, "fork-after") == 0) {
        make_ready();
        region();
        is_child_of_fork();
        region();
    } else if (strcmp(way, "global") == 0 || strcmp(way, "local") == 0) {
        load(tool, strcmp(way, "local") == 0 ? RTLD_LOCAL : RTLD_GLOBAL);
        make_ready();
        region();
    } else if (strcmp(way, "unload") == 0) {
        load(tool, RTLD_GLOBAL);
        make_ready();
        region();
        unload();
        region();
    } else if (strcmp(way, "unload-amid-regions") == 0) {
        load(tool, RTLD_GLOBAL);
        make_ready();
        unload_amid_regions();
    } else if (strcmp(way, "close-at-exit") == 0) {
        load(tool, RTLD_GLOBAL);
        atexit(unload);
        make_ready();
        region();
    } else if (strcmp(way, "names-library") == 0) {
        setenv("OMP_TOOL_LIBRARIES", tool, 1);
        region();
    } else if (strcmp(way, "disables") == 0) {
        make_ready();
        setenv("OMP_TOOL", "disabled", 1);
        region();
    } else {
        return 96;
    }
    say("ends ", 0);
    return 0;
}
