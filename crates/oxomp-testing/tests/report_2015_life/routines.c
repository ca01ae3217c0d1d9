/* Each routine of OpenMP, by its number, as the first use of OpenMP: the tool in the program is
 * initialized before the routine returns. With OPENMP_5 it is one of OpenMP 5 that cannot be
 * initialized when the runtime is loaded, since the program has a constructor. Ends with 9 beyond
 * the last one. */
#include <omp.h>
#ifdef OPENMP_5
#include <omp-tools.h>
#else
#include <ompt.h>
#endif
#include <stdio.h>
#include <stdlib.h>

static int is_initialized;

#ifdef OPENMP_5
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)lookup, (void)device, (void)data;
    is_initialized = 1;
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

static volatile int is_constructed;

__attribute__((constructor)) static void construct(void) { is_constructed = 1; }
#else
static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version) {
    (void)lookup, (void)runtime, (void)version;
    is_initialized = 1;
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }
#endif

static char text[100];
static int numbers[1000];
static omp_sched_t kind;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

int main(int argc, char **argv) {
#ifdef OPENMP_5
    if (is_initialized || !is_constructed)
        return 1;
#endif
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
    CALL(omp_get_wtime())
    CALL(omp_get_wtick())
    CALL(omp_set_num_teams(2))
    CALL(omp_set_teams_thread_limit(2))
    CALL(omp_pause_resource(omp_pause_soft, 99))
    CALL(omp_fulfill_event((omp_event_handle_t)0))
    CALL(omp_alloc(64, omp_default_mem_alloc))
    CALL(omp_alloc(64, omp_null_allocator))
    CALL(omp_aligned_alloc(64, 64, omp_default_mem_alloc))
    CALL(omp_calloc(1, 64, omp_default_mem_alloc))
    CALL(omp_aligned_calloc(64, 1, 64, omp_default_mem_alloc))
    CALL(omp_realloc(NULL, 64, omp_default_mem_alloc, omp_default_mem_alloc))
    CALL(omp_free(NULL, omp_null_allocator))
    CALL(omp_init_allocator(omp_default_mem_space, 0, NULL))
    CALL(omp_destroy_allocator(omp_null_allocator))
    CALL(omp_set_default_allocator(omp_default_mem_alloc))
    CALL(omp_get_default_allocator())
    CALL(omp_get_memspace_num_resources(0))
    CALL(omp_get_device_memspace(0, 0))
    CALL(omp_get_dyn_gprivate_memspace(0))
    CALL(omp_target_alloc(0, 0))
    CALL(omp_target_free(NULL, 0))
    CALL(omp_target_is_present(NULL, 0))
    CALL(omp_target_is_accessible(NULL, 0, 0))
    CALL(omp_get_mapped_ptr(NULL, 0))
    CALL(omp_target_memcpy(NULL, NULL, 0, 0, 0, 0, 0))
    CALL(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0))
    CALL(omp_target_associate_ptr(NULL, NULL, 0, 0, 0))
    CALL(omp_target_disassociate_ptr(NULL, 0))
    CALL(omp_get_num_interop_properties(NULL))
    CALL(omp_get_interop_name(NULL, 0))
    CALL(omp_get_uid_from_device(0))
    CALL(omp_get_device_from_uid("HOST"))
    if (!name)
        return 9;
    printf("%s %s\n", is_initialized ? "after" : "before", name);
    return 0;
}
