/* A million tasks in 1000 regions (with -DTASKS as many in each), some of them nested, of two threads: what is resident then may
 * exceed by 4 MiB what the first tenth left. With the argument "fork", a child does a tenth, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TASKS
#define TASKS 1000
#endif

static long resident(void) {
    char line[256];
    long size = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        sscanf(line, "VmRSS: %ld", &size);
    fclose(status);
    return size;
}

static void regions(int count) {
    long sum = 0;
    for (int region = 0; region < count; region++) {
#pragma omp parallel num_threads(2)
        {
#pragma omp single
            for (int at = 0; at < TASKS; at++) {
#pragma omp task
                {
#pragma omp atomic
                    sum += at;
                }
            }
#pragma omp parallel num_threads(1)
            {
#pragma omp atomic
                sum += 1;
            }
        }
    }
    if (sum != count * ((TASKS - 1l) * TASKS / 2 + 2))
        printf("sum=%ld\n", sum);
}

int main(int count, char **words) {
    regions(100);
    if (count > 1 && strcmp(words[1], "fork") == 0) {
        int status;
        fflush(stdout);
        if (fork() == 0) {
            regions(100);
            _exit(7);
        }
        wait(&status);
        printf("child=%d\n", WEXITSTATUS(status));
        return 0;
    }
    long before = resident();
    regions(900);
    long after = resident();
    printf("%s\n", after <= before + 4096 ? "no growth" : "growth");
    return 0;
}
