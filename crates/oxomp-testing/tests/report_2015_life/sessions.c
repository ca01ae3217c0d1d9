/* A program that ends the session of its tool and goes on with OpenMP, in the way that its argument
 * says. Linked with tool.c. */
#include "tool.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

static void region(void) {
#pragma omp parallel num_threads(2)
    (void)omp_get_thread_num();
}

static int pause_resource(int kind) {
    return omp_pause_resource_all((omp_pause_resource_t)kind);
}

static void known(const char *when) {
    ompt_task_type_t type;
    ompt_task_id_t task = 0;
    int available = get_task_info(0, &type, &task, NULL, NULL);
    say("%s: thread=%d state=%x task=%d %d", when, get_thread_id() != 0, (int)get_state(NULL),
        available, task != 0);
}

static pthread_barrier_t both;

/* Another root, which is there when the session ends. */
static void *other_root(void *unused) {
    region();
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    region();
    return unused;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
#define WAY(name) (strcmp(way, name) == 0)
    region();
    known("before");
    if (WAY("other-root")) {
        pthread_t thread;
        pthread_barrier_init(&both, NULL, 2);
        pthread_create(&thread, NULL, other_root, NULL);
        pthread_barrier_wait(&both);
        say("pause=%d", pause_resource(omp_pause_hard));
        pthread_barrier_wait(&both);
        pthread_join(thread, NULL);
        region();
        return 0;
    }
    if (WAY("soft"))
        say("pause=%d", pause_resource(omp_pause_soft));
    else if (WAY("in-region")) {
#pragma omp parallel num_threads(2)
#pragma omp master
        say("pause=%d", pause_resource(omp_pause_hard));
    } else if (WAY("device"))
        say("pause=%d", omp_pause_resource(omp_pause_hard, omp_get_initial_device()));
    else
        say("pause=%d", pause_resource(omp_pause_hard));
    known("paused");
    say("late=%d", set_callback(ompt_event_flush, NULL));
    if (WAY("routine"))
        say("max=%d", omp_get_max_threads());
    if (WAY("critical")) {
#pragma omp critical
        say("critical");
    }
    if (WAY("lock")) {
        omp_lock_t lock;
        omp_init_lock(&lock);
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        omp_destroy_lock(&lock);
    }
    if (WAY("control"))
        ompt_control(64, 1);
    if (WAY("threads"))
        for (int again = 0; again < 50; again++) {
            region();
            pause_resource(omp_pause_hard);
        }
    if (!WAY("unused") && !WAY("threads")) {
        region();
        known("after");
    }
    say("ends");
    return 0;
}
