// Values that are good, or nearly, and a megabyte long take neither much time nor much memory.
//#Flags:-D_GNU_SOURCE
//#NotRecorded:the runtime must not have begun when the children set their variables
//#ReferenceFails:what fits is ours to say
//#Timeout:60
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG = 1 << 20 };
static char value[LONG + 64];

static char *repeated(const char *first, const char *piece, const char *last)
{
    size_t length = strlen(piece);
    char *end = stpcpy(value, first);
    for (; end + length < value + LONG; end += length)
        memcpy(end, piece, length);
    strcpy(end, last);
    return value;
}

static void region(void)
{
    int size = 0;
#pragma omp parallel num_threads(2) reduction(+ : size)
    size++;
    CHECK(size >= 1 && size <= 2);
}

// Runs `body` in a child that has the variable, a gigabyte at most and ten seconds.
static void with(const char *variable, const char *text, void (*body)(void))
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit time = {10, 10}, memory = {1 << 30, 1 << 30};
        setrlimit(RLIMIT_CPU, &time);
        setrlimit(RLIMIT_AS, &memory);
        setenv(variable, text, 1);
        check_failures = 0;
        body();
        _exit(check_result());
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    if (status != 0)
        fprintf(stderr, "%s=%.40s...\n", variable, text);
}

static void check_list(void)
{
    CHECK_EQ(omp_get_max_threads(), 2);
    CHECK(omp_get_max_active_levels() > 1000);
    region();
}

static void check_format(void)
{
    static char line[64];
    size_t length = omp_capture_affinity(line, sizeof line, NULL);
    CHECK(length > 60 && length <= 2 * LONG);
    CHECK_EQ(line[63], 0);
    CHECK_EQ(strspn(line, "0"), 63);
}

int main(void)
{
    with("OMP_NUM_THREADS", repeated("2", ",2", ""), check_list);
    with("OMP_PROC_BIND", repeated("close", ",close", ""), region);
    with("OMP_PLACES", repeated("{0}", ",{0}", ""), region);
    with("OMP_PLACES", repeated("{0:65535}", ":65535,{0:65535}", ""), region);
    with("OMP_PLACES", repeated("{0:65535", ",!1", "}"), region);
    with("OMP_PLACES", repeated("{", "{", ""), region);
    with("GOMP_CPU_AFFINITY", repeated("0", " 0-65535", ""), region);
    with("KMP_AFFINITY", repeated("verb", ",", ""), region);
    with("KMP_AFFINITY", repeated("explicit,proclist=[0", ",0-65535", "]"), region);
    with("KMP_HW_SUBSET", repeated("1c", "&1c", ""), region);
    with("OMP_ALLOCATOR", repeated("omp_default_mem_space:pinned=1", ",pinned=1", ""), region);
    with("OMP_AFFINITY_FORMAT", repeated("", "%0.4096n", ""), check_format);
    return check_result();
}
