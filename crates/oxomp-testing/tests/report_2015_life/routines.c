/* Each execution environment routine of OpenMP, by its number, as the first use of OpenMP: the tool
 * in the program is initialized before the routine returns. Ends with 9 beyond the last one. */
#include <omp.h>
#include <ompt.h>
#include <stdio.h>
#include <stdlib.h>

static int is_initialized;

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    (void)lookup, (void)runtime, (void)version;
    is_initialized = 1;
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }

static char text[100];
static int numbers[1000];
static omp_sched_t kind;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

int main(int argc, char **argv) {
    int wanted = argc > 1 ? atoi(argv[1]) : 0, number = 0;
    const char *name = NULL;
#define CALL(call)                                                                                 \
    if (number++ == wanted) {                                                                      \
        name = #call;                                                                              \
        (void)call;                                                                                \
    }
    CALL(omp_set_num_threads(2))
    CALL(omp_get_num_threads())
    CALL(omp_get_max_threads())
    CALL(omp_get_thread_num())
    CALL(omp_get_num_procs())
    CALL(omp_in_parallel())
    CALL(omp_set_dynamic(0))
    CALL(omp_get_dynamic())
    CALL(omp_get_cancellation())
    CALL(omp_set_schedule(omp_sched_static, 1))
    CALL(omp_get_schedule(&kind, numbers))
    CALL(omp_get_thread_limit())
    CALL(omp_get_supported_active_levels())
    CALL(omp_set_max_active_levels(1))
    CALL(omp_get_max_active_levels())
    CALL(omp_get_level())
    CALL(omp_get_ancestor_thread_num(0))
    CALL(omp_get_team_size(0))
    CALL(omp_get_active_level())
    CALL(omp_in_final())
    CALL(omp_get_proc_bind())
    CALL(omp_get_num_places())
    CALL(omp_get_place_num_procs(0))
    CALL(omp_get_place_proc_ids(0, numbers))
    CALL(omp_get_place_num())
    CALL(omp_get_partition_num_places())
    CALL(omp_get_partition_place_nums(numbers))
    CALL(omp_set_affinity_format("%n"))
    CALL(omp_get_affinity_format(text, sizeof text))
    CALL(omp_capture_affinity(text, sizeof text, "%n"))
    CALL(omp_set_default_device(0))
    CALL(omp_get_default_device())
    CALL(omp_get_num_devices())
    CALL(omp_get_device_num())
    CALL(omp_get_num_teams())
    CALL(omp_get_team_num())
    CALL(omp_get_max_teams())
    CALL(omp_get_teams_thread_limit())
    CALL(omp_is_initial_device())
    CALL(omp_get_initial_device())
    CALL(omp_get_max_task_priority())
    CALL(omp_pause_resource_all(omp_pause_soft))
    CALL(omp_display_env(0))
    CALL(omp_init_lock(&lock))
    CALL(omp_init_nest_lock(&nest_lock))
    if (!name)
        return 9;
    printf("%s %s\n", is_initialized ? "after" : "before", name);
    return 0;
}
