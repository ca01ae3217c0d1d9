/* Many short threads, a few at a time, each with a region of its own. */
#include <omp.h>
#include <pthread.h>

#include "burn.h"
#include "helper.h"

enum { ROUNDS = 60, AT_A_TIME = 4 };

static long steps;
static int done;

static void *run(void *nothing)
{
#pragma omp parallel num_threads(2)
    burn(steps);
#pragma omp atomic
    done++;
    return nothing;
}

int main(void)
{
    await_helper();
    steps = burn_steps(1);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[AT_A_TIME];
        for (int at = 0; at < AT_A_TIME; at++)
            if (pthread_create(&threads[at], NULL, run, NULL) != 0)
                return 1;
        for (int at = 0; at < AT_A_TIME; at++)
            pthread_join(threads[at], NULL);
    }
    print_fact("done", done);
    return done != ROUNDS * AT_A_TIME;
}
