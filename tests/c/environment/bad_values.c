// A value that a variable cannot have gives one warning, which names both, and the default.
//#Flags:-D_GNU_SOURCE
//#Env:OMP_TARGET_OFFLOAD=default
//#NotRecorded:the runtime must not have begun when the children set their variables
//#ReferenceFails:libgomp is silent about some, libomp warns twice, crashes or accepts
//#Timeout:120
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG = 1 << 20 };
static char long_garbage[LONG + 1];

// No variable of the table can have these.
static const char *const never[] = {
    "garbage", "-1",        "99999999999999999999999999", "1,",        ",",         "1;2",
    "\xff\xfe\x80",         "%s%n",                       "a\nb",      "true false", long_garbage,
};

// And these values each.
static const struct {
    const char *variable;
    const char *values[8];
} table[] = {
    {"OMP_NUM_THREADS", {"0", "4,0", "4,,2", "2147483648", "0x4", "1.5"}},
    {"OMP_SCHEDULE", {"static:", "random", "quick:static", "dynamic,0", "guided,-3", "auto,7"}},
    {"OMP_DYNAMIC", {"2", "tru", "yes!"}},
    {"OMP_PROC_BIND", {"true,close", "near", "close,,spread", "close,false"}},
    {"OMP_PLACES",
     {"cores(", "cores()", "cores(0)", "{0", "{0:0}", "{}", "{0:65536}:65536", "hills"}},
    {"OMP_STACKSIZE", {"1K", "12X", "M", "100000000T", "10K M"}},
    {"GOMP_STACKSIZE", {"0", "1.5M"}},
    {"KMP_STACKSIZE", {"0", "1.5M"}},
    {"OMP_WAIT_POLICY", {"aggressive", "1"}},
    {"OMP_MAX_ACTIVE_LEVELS", {"2147483648", "one"}},
    {"OMP_NESTED", {"2"}},
    {"OMP_THREAD_LIMIT", {"0", "2147483648"}},
    {"OMP_THREAD_LIMIT_DEV", {"0", "x"}},
    {"OMP_THREAD_LIMIT_DEV_1", {"0", "-1"}},
    {"OMP_THREAD_LIMIT_ALL", {"0"}},
    {"OMP_CANCELLATION", {"2"}},
    {"OMP_DISPLAY_ENV", {"2", "verbosely"}},
    {"OMP_DISPLAY_AFFINITY", {"2"}},
    {"OMP_MAX_TASK_PRIORITY", {"high"}},
    {"OMP_DEFAULT_DEVICE", {"gpu"}},
    {"OMP_TARGET_OFFLOAD", {"mandatry", "1"}},
    {"OMP_NUM_TEAMS", {"0"}},
    {"OMP_TEAMS_THREAD_LIMIT", {"0"}},
    {"OMP_TEAMS_THREAD_LIMIT_DEV", {"0"}},
    {"OMP_TEAMS_THREAD_LIMIT_ALL", {"0"}},
    {"OMP_ALLOCATOR",
     {"111", "1", "omp_default_mem_alloc_xyz", "omp_null_allocator", "omp_default_mem_space:pinned",
      "omp_default_mem_space:alignment=3", "omp_default_mem_alloc:pinned=true"}},
    {"GOMP_CPU_AFFINITY", {"2-1", "0-4:0", "a", "0-99999"}},
    {"GOMP_SPINCOUNT", {"lots", "3 weeks"}},
    {"KMP_BLOCKTIME", {"3 weeks", "1.5"}},
    {"KMP_AFFINITY",
     {"compactly", "compact,1,2,3", "explicit", "explicit,proclist=[", "granularity=hill,compact",
      "compact,scatter", "compact,,1", "proclist=[{0]"}},
    {"KMP_HW_SUBSET", {"foo", "0c", "1c,", "1c,1c", "1c@", "99999s", "1s:eff1", ":"}},
    {"KMP_LIBRARY", {"sequential", "1"}},
    {"KMP_SETTINGS", {"2"}},
    {"KMP_WARNINGS", {"2"}},
    {"KMP_DUPLICATE_LIB_OK", {"2"}},
    {"KMP_ALL_THREADS", {"0"}},
    {"KMP_DEVICE_THREAD_LIMIT", {"0"}},
    {"KMP_TEAMS_THREAD_LIMIT", {"0"}},
    {"KMP_TEAMS_PROC_BIND", {"true", "spread,close"}},
    {"KMP_SCHEDULE", {"static", "static,fair", "dynamic,greedy", "static,greedy;"}},
    {"KMP_DETERMINISTIC_REDUCTION", {"2"}},
    {"LIBOMP_USE_HIDDEN_HELPER_TASK", {"2"}},
};

// The program as the user of the bad value sees it: everything at its default.
static int run(void)
{
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    CHECK_EQ(omp_get_max_active_levels(), 1);
    CHECK_EQ(omp_get_dynamic(), 0);
    return check_result();
}

// What a child that sets the variable writes to standard error, up to the size of `text`.
static int said(const char *variable, const char *value, char *text, size_t size)
{
    int ends[2], status = -1;
    CHECK_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        setenv(variable, value, 1);
        check_failures = 0;
        _exit(run());
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    char rest[512];
    while ((got = length + 1 < size ? read(ends[0], text + length, size - length - 1)
                                    : read(ends[0], rest, sizeof rest))
           > 0)
        length += length + 1 < size ? (size_t)got : 0;
    text[length] = 0;
    close(ends[0]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

static void check(const char *variable, const char *value)
{
    char text[4096], expected[64];
    int status = said(variable, value, text, sizeof text);
    // As far as it stands in the warning as it is.
    snprintf(expected, sizeof expected, "OMP: Warning #42: %s=\"%.*s", variable,
             (int)strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789_-,;:") % 20, value);
    const char *end = strchr(text, '\n');
    int is_named = strncmp(text, expected, strlen(expected)) == 0;
    if (status != 0 || !is_named || end == NULL || end[1] != 0) {
        CHECK(!"one warning and the default");
        fprintf(stderr, "%s=%.60s: status %d, said:\n%s\n", variable, value, status, text);
    }
}

int main(void)
{
    memset(long_garbage, 'x', LONG);
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            check(table[row].variable, never[i]);
        for (size_t i = 0; i < 8 && table[row].values[i]; i++)
            check(table[row].variable, table[row].values[i]);
        // An empty variable is none.
        char text[256];
        CHECK_EQ(said(table[row].variable, "", text, sizeof text), 0);
        CHECK_EQ(said(table[row].variable, "  ", text, sizeof text), 0);
        CHECK_EQ(strlen(text), 0);
    }
    return check_result();
}
