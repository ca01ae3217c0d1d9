// More of each kind than the collector follows: locks, locks held together, tasks that have not
// ended, addresses on which tasks depend, tasks that wait inside each other.

#include <omp.h>
#include <stdatomic.h>

enum { LOCKS = 6000, HELD = 20, TASKS = 70000, DEPTH = 400 };

static omp_lock_t locks[LOCKS];
static char addresses[TASKS];
static atomic_int begun, created;

static void nest(int depth) {
    if (depth == 0)
        return;
#pragma omp task
    nest(depth - 1);
#pragma omp taskwait
}

static void take_locks(void) {
    for (int i = 0; i < LOCKS; i++)
        omp_init_lock(&locks[i]);
    for (int i = 0; i < LOCKS; i++) {
        omp_set_lock(&locks[i]);
        omp_unset_lock(&locks[i]);
    }
    for (int i = 0; i < HELD; i++)
        omp_set_lock(&locks[i]);
    for (int i = HELD; i-- > 0;)
        omp_unset_lock(&locks[i]);
}

static void create_tasks(void) {
    char *first = &addresses[0];
    (void)first;
#pragma omp task depend(out : first[0])
    {
        begun = 1;
        while (!created) {
        }
    }
    while (!begun) {
    }
    for (int i = 1; i < TASKS; i++) {
#pragma omp task depend(in : first[0]) depend(out : addresses[i])
        {
        }
    }
    created = 1;
}

int main(void) {
    take_locks();
#pragma omp parallel num_threads(2)
#pragma omp single
    create_tasks();
#pragma omp parallel num_threads(1)
    nest(DEPTH);
}
