// KMP_CONSISTENCY_CHECK: wrong nesting ends the program with one line that names both constructs and where
// they are, as far as the compiler calls the runtime for them: clang does for all.
//#Compilers:clang
//#Flags:-g -Wno-openmp
//#Opt:-O0
//#Env:OMP_NUM_THREADS=2
//#Env:KMP_CONSISTENCY_CHECK=all
//#Vary:WRONG=barrier in worksharing loop|worksharing loop in worksharing loop|barrier in critical|barrier in single|barrier in sections|masked in single|worksharing loop in masked|single in ordered|critical in a critical of the same name|barrier in masked|sections in single|ordered in critical
//#Status:1
//#Stderr:^OMP: Error: \S*nesting\.c:\d+:1: .* is wrongly nested in .* at \S*nesting\.c:\d+:1\n$
//#Stdout:^same\n$
//#NotRecorded:the program ends inside a construct
//#ReferenceFails:libomp has another text
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void barrier(void)
{
#pragma omp barrier
}

static void loop(void)
{
#pragma omp for
    for (int i = 0; i < 2; i++)
        __asm__ volatile("");
}

static void single(void)
{
#pragma omp single
    __asm__ volatile("");
}

static void sections(void)
{
#pragma omp sections
    {
        __asm__ volatile("");
#pragma omp section
        __asm__ volatile("");
    }
}

static void masked(void)
{
// By whichever thread meets it: a single's block is anyone's.
#pragma omp masked filter(omp_get_thread_num())
    __asm__ volatile("");
}

static void critical(void)
{
#pragma omp critical(name)
    __asm__ volatile("");
}

static void ordered(void)
{
#pragma omp ordered
    __asm__ volatile("");
}

static const struct {
    const char *name;
    void (*inner)(void);
} inner_ones[] = {
    { "barrier", barrier },   { "worksharing loop", loop }, { "single", single },
    { "sections", sections }, { "masked", masked },         { "critical", critical },
    { "ordered", ordered },
};

static void within(const char *outer, void (*inner)(void))
{
    if (!strcmp(outer, "worksharing loop")) {
#pragma omp for
        for (int i = 0; i < 2; i++)
            inner();
    } else if (!strcmp(outer, "critical") && inner != ordered) {
#pragma omp critical
        inner();
    } else if (!strcmp(outer, "critical")) {
#pragma omp for ordered
        for (int i = 0; i < 2; i++) {
#pragma omp critical
            inner();
        }
    } else if (!strcmp(outer, "single")) {
#pragma omp single
        inner();
    } else if (!strcmp(outer, "sections")) {
#pragma omp sections
        {
            inner();
#pragma omp section
            inner();
        }
    } else if (!strcmp(outer, "masked")) {
#pragma omp masked
        inner();
    } else if (!strcmp(outer, "ordered")) {
#pragma omp for ordered
        for (int i = 0; i < 2; i++) {
#pragma omp ordered
            inner();
        }
    } else {
#pragma omp critical(name)
        inner();
    }
}

static void do_wrong(const char *wrong, const char *in)
{
    for (size_t i = 0; i < sizeof inner_ones / sizeof *inner_ones; i++) {
        size_t length = strlen(inner_ones[i].name);
        if (strncmp(wrong, inner_ones[i].name, length) || (size_t)(in - wrong) != length)
            continue;
#pragma omp parallel
        within(in + 4, inner_ones[i].inner);
    }
}

// The child does it; the parent looks whether the line names the two constructs.
int main(void)
{
    const char *wrong = getenv("WRONG"), *in = strstr(wrong, " in ");
    char line[1000], wanted[200];
    int ends[2], status;
    if (pipe(ends))
        return 2;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[1]);
        do_wrong(wrong, in);
        return 3;
    }
    close(ends[1]);
    snprintf(wanted, sizeof wanted, "%.*s is wrongly nested in %s at ", (int)(in - wrong), wrong, in + 4);
    FILE *said = fdopen(ends[0], "r");
    while (fgets(line, sizeof line, said)) {
        if (strncmp(line, "OMP: ", 5))
            continue;
        fputs(line, stderr);
        if (strstr(line, wanted))
            printf("same\n");
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
