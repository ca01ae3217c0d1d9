/* A program that goes through nested tasks, regions and leagues, and calls `chain` in each of them,
 * which the file that includes this one defines for its interface. */

/* Prints the chain of tasks at this point of the program. */
static void chain(const char *what);

static void tasks(void) {
#pragma omp task if (0)
    {
        chain("undeferred");
#pragma omp parallel num_threads(1)
        chain("region of a task");
        chain("undeferred again");
    }
#pragma omp task final(1) untied
    {
        chain("final");
#pragma omp task
        chain("included");
        chain("final again");
    }
#pragma omp taskwait
#pragma omp taskgroup
    {
#pragma omp task
        chain("in taskgroup");
    }
}

static void nestings(void) {
    omp_get_max_threads();
    omp_set_max_active_levels(2);
    chain("initial");
    tasks();
#pragma omp parallel num_threads(1)
    {
        chain("one");
#pragma omp parallel num_threads(1)
        {
            chain("two");
#pragma omp parallel if (0)
            chain("three");
            chain("two again");
#pragma omp barrier
            chain("two after a barrier");
        }
        chain("one again");
    }
    chain("initial again");
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
        {
            chain("primary");
#pragma omp parallel num_threads(2)
#pragma omp masked
            chain("nested");
            chain("primary again");
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            chain("worker");
#pragma omp task if (0)
            chain("task of a worker");
#pragma omp parallel num_threads(1)
            chain("region of a worker");
        }
    }
#pragma omp teams num_teams(1) thread_limit(1)
    {
        chain("teams");
#pragma omp parallel num_threads(1)
        chain("in teams");
    }
}
