/* A program that runs for a while and then has a tool attached, by a request that it writes as a
 * command would write it from outside. Arguments: the way, and the tool's library. */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* As crates/oxomp-sys/src/attach.rs has it. */
enum { CLOSED, OPEN, STARTING, ATTACHED, FAILED };
struct attach {
    uint32_t version;
    _Atomic uint32_t state, wish, answered;
    _Atomic uint64_t *mask;
    uint64_t events;
    char text[16 << 10];
    char reason[512];
};
static struct attach *attach;

enum { THREADS = 4, ROUNDS = 20 };

static int begun_by_event;

static void say(const char *what) {
    char line[300];
    int length = snprintf(line, sizeof line, "program: %s\n", what);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(99);
}

static void fail(const char *what) {
    say(what);
    _exit(98);
}

static void request(const char *library) {
    if (attach->state != OPEN && attach->state != FAILED)
        fail("no tool can be attached");
    memset(attach->text, 0, sizeof attach->text);
    strcpy(attach->text, library);
    attach->wish = attach->answered + 1;
    *attach->mask |= attach->events;
}

/* Waits until a thread has taken the request and the tool is there, or is not. */
static void await(void) {
    while (attach->answered != attach->wish || attach->state == STARTING)
        usleep(100);
}

/* Raises an event that begins the tool, before which nothing is reported. */
static void attach_by(const char *library) {
    request(library);
#pragma omp critical
    begun_by_event++;
    await();
}

static void expect(uint32_t state) {
    if (attach->state != state) {
        char line[64];
        snprintf(line, sizeof line, "state %u, not %u", attach->state, state);
        fail(line);
    }
}

/* Constructs of many kinds, none of them with a part that the region around it reports. */
static long work(int threads) {
    static int tasks;
    long sum = 0;
    tasks = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 100; i++)
            sum += i;
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp critical
                tasks++;
            }
        }
#pragma omp taskwait
    }
    return sum + tasks;
}

/* One region, which counts as one for the tool. */
static void region(void) {
    atomic_int threads = 0;
#pragma omp parallel num_threads(THREADS)
    threads++;
    if (threads != THREADS)
        fail("another number of threads");
}

static void rounds(void) {
    for (int round = 0; round < ROUNDS; round++)
        if (work(THREADS) != 4950 + 10)
            fail("a wrong sum");
}

static atomic_int stop, begun;

static void *root(void *unused) {
    (void)unused;
    while (!stop) {
        region();
        begun++;
    }
    return NULL;
}

/* A region of a root that has met none before, with workers that are new or another root's. */
static void *late_root(void *unused) {
    (void)unused;
    region();
    return NULL;
}

static void with_roots(const char *library) {
    pthread_t roots[3], late;
    for (int i = 0; i < 3; i++)
        pthread_create(&roots[i], NULL, root, NULL);
    while (begun < 100)
        usleep(100);
    request(library);
    await();
    for (int before = begun; begun < before + 100;)
        usleep(100);
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(roots[i], NULL);
    pthread_create(&late, NULL, late_root, NULL);
    pthread_join(late, NULL);
    expect(ATTACHED);
}

/* The region that is under way, with constructs and nested regions behind the request, stays
 * hidden. */
static void inside(const char *library) {
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp critical
#pragma omp masked
        request(library);
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; i++)
            begun++;
#pragma omp task
#pragma omp critical
        begun++;
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
#pragma omp masked
            begun++;
        }
    }
    await();
    expect(ATTACHED);
}

static void nested(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        begun++;
    }
}

static void league(void) {
#pragma omp teams num_teams(2) thread_limit(2)
    {
#pragma omp parallel num_threads(2)
        begun++;
    }
}

/* Forks; the parent goes on after the child's end. */
static int in_child(void) {
    int status = 0;
    pid_t child = fork();
    if (child != 0 && (waitpid(child, &status, 0) != child || status != 0))
        fail("the child");
    return child == 0;
}

int main(int argc, char **argv) {
    const char *way = argv[1], *library = argv[2];
    attach = dlsym(RTLD_DEFAULT, "oxomp_attach");
    if (argc < 3 || !attach || attach->version != 1)
        fail("the runtime has no oxomp_attach");
    expect(CLOSED);
    rounds();
    expect(OPEN);
    if (strcmp(way, "plain") == 0) {
        attach_by(library);
        region();
        rounds();
        expect(ATTACHED);
    } else if (strcmp(way, "roots") == 0) {
        with_roots(library);
    } else if (strcmp(way, "inside") == 0) {
        inside(library);
        region();
    } else if (strcmp(way, "nested") == 0) {
        attach_by(library);
        nested();
        nested();
    } else if (strcmp(way, "teams") == 0) {
        league();
        attach_by(library);
        league();
        league();
    } else if (strcmp(way, "again") == 0) {
        for (int time = 0; time < 3; time++) {
            attach_by(library);
            region();
            expect(ATTACHED);
            rounds();
            ((void (*)(void))dlsym(dlopen(library, RTLD_NOW), "leave"))();
            expect(OPEN);
            rounds();
        }
    } else if (strcmp(way, "wrong") == 0) {
        attach_by("/no/such/tool.so");
        expect(FAILED);
        say(attach->reason);
        attach_by(library);
        region();
        expect(ATTACHED);
    } else if (strcmp(way, "fork") == 0) {
        attach_by(library);
        if (in_child()) {
            region();
            expect(OPEN);
            say("ends");
            return 0;
        }
        region();
        expect(ATTACHED);
        if (in_child()) {
            region();
            expect(OPEN);
            attach_by(library);
            region();
            expect(ATTACHED);
        }
    }
    return 0;
}
