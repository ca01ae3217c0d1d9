/* Regions, a loop, tasks, a critical and a lock; by its words a hard pause, or a child that does the
 * same. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void __attribute__((weak)) ompt_control(uint64_t command, uint64_t modifier);

static int constructs(void) {
    int sum = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel
        {
#pragma omp for schedule(dynamic) reduction(+ : sum)
            for (int at = 0; at < 6; at++)
                sum += at;
#pragma omp critical
            sum++;
#pragma omp single
            {
                for (int at = 0; at < 2; at++) {
#pragma omp task shared(sum)
                    {
#pragma omp atomic
                        sum++;
                    }
                }
            }
        }
    }
    omp_destroy_lock(&lock);
    return sum == 3 * (15 + omp_get_max_threads() + 2);
}

int main(int count, char **words) {
    int good = constructs();
    if (ompt_control)
        ompt_control(64, 7);
    for (int at = 1; at < count; at++) {
        if (!strcmp(words[at], "pause")) {
            omp_pause_resource_all(omp_pause_hard);
            good = good && constructs();
        } else if (!strcmp(words[at], "fork")) {
            fflush(stdout);
            pid_t child = fork();
            if (child == 0)
                return constructs() ? 0 : 1;
            int status = 0;
            waitpid(child, &status, 0);
            good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
    }
    puts(good ? "done" : "wrong");
    return good ? 0 : 1;
}
