/* The entry points that the tool (tool.c) has looked up for the program. A program defines
 * `static void start(void)`, which the tool's initializer calls, to register callbacks. */
#include <omp.h>
#include <ompt.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ompt_function_lookup_t look_up;
static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static ompt_enumerate_state_t enumerate_state;
static ompt_enumerate_lock_type_t enumerate_lock_type;
static ompt_enumerate_lock_types_t enumerate_lock_types;
static ompt_enumerate_atomic_type_t enumerate_atomic_type;
static ompt_get_thread_id_t get_thread_id;
static ompt_get_state_t get_state;
static ompt_get_parallel_id_t get_parallel_id;
static ompt_get_parallel_team_size_t get_parallel_team_size;
static ompt_get_task_info_t get_task_info;
static ompt_get_num_devices_t get_num_devices;
static ompt_target_get_device_id_t target_get_device_id;
static ompt_target_get_device_info_t target_get_device_info;
static ompt_get_device_info_t get_device_info;
/* Those of the report's drafts. */
static ompt_get_task_id_t get_task_id;
static ompt_get_task_frame_t get_task_frame;
static ompt_get_idle_frame_t get_idle_frame;

static void start(void);

/* The looked-up function of a pointer with its name. */
#define LOOK_UP(name)                                                                              \
    do {                                                                                           \
        name = (ompt_##name##_t)look_up("ompt_" #name);                                            \
        if (!name)                                                                                 \
            printf("ompt_" #name " is missing\n");                                                 \
    } while (0)

/* Registers the function with the name of an event. */
#define SET(name) set_callback(ompt_event_##name, (ompt_callback_t)name)

void tool_begins(ompt_function_lookup_t lookup, const char *runtime_version, unsigned version);
void tool_begins(ompt_function_lookup_t lookup, const char *runtime_version, unsigned version) {
    if (!runtime_version || version != 2)
        printf("the tool begins with version %u\n", version);
    look_up = lookup;
    LOOK_UP(set_callback);
    LOOK_UP(get_callback);
    LOOK_UP(enumerate_state);
    LOOK_UP(enumerate_lock_type);
    LOOK_UP(enumerate_lock_types);
    LOOK_UP(enumerate_atomic_type);
    LOOK_UP(get_thread_id);
    LOOK_UP(get_state);
    LOOK_UP(get_parallel_id);
    LOOK_UP(get_parallel_team_size);
    LOOK_UP(get_task_info);
    LOOK_UP(get_num_devices);
    LOOK_UP(target_get_device_id);
    LOOK_UP(target_get_device_info);
    LOOK_UP(get_device_info);
    LOOK_UP(get_task_id);
    LOOK_UP(get_task_frame);
    LOOK_UP(get_idle_frame);
    start();
}
