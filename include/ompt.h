/* ompt.h: the tools interface of the technical report of 2015 (revised in December 2015), the
 * predecessor of OMPT in OpenMP 5.0, whose header is omp-tools.h.
 *
 * Names, numbers and layouts are those of the report. Where two places of it contradict each other,
 * a comment says so.
 *
 * A tool defines ompt_tool. Its initializer gets the look-up, by which it asks for each entry point
 * by name: these are no symbols of the runtime. The report prints them as prototypes; here, the
 * type of the entry point NAME is NAME_t.
 *
 * A program needs only ompt_control, at the end.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#ifndef OXOMP_OMPT_H
#define OXOMP_OMPT_H

/* The guard of omp-tools.h, also of LLVM's. */
#ifdef __OMPT__
#error "ompt.h (2015) and omp-tools.h (OpenMP 5.0) share names: a file may include one of them"
#else

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks an entry point of the look-up that the initializer gets. */
#define OMPT_API
/* Marks an entry point of the look-up that ompt_target_get_device_info gives. */
#define OMPT_TARG_API

/* ---- Identifiers and other words ---- */

/* Unique on a device for the whole run; 0 is none. */
typedef uint64_t ompt_thread_id_t;
typedef uint64_t ompt_parallel_id_t;
typedef uint64_t ompt_task_id_t;
/* The object for which a thread waits; 0 is undefined. */
typedef uint64_t ompt_wait_id_t;
/* An activity on a device. */
typedef uint64_t ompt_target_activity_id_t;
/* A time by the clock of a device. */
typedef uint64_t ompt_target_time_t;
/* A position in a buffer of a device's trace. */
typedef uint64_t ompt_target_buffer_cursor_t;
/* The implementation of a lock, which ompt_enumerate_lock_type names. */
typedef uint32_t ompt_lock_type_t;
/* The implementation of an atomic construct, which ompt_enumerate_atomic_type names. The report
 * uses this type without its definition. */
typedef uint32_t ompt_atomic_type_t;
/* By the numbers of omp_lock_hint_t. */
typedef uint32_t ompt_lock_hint_t;
/* 0 or 1. */
typedef uint32_t ompt_bool;
/* Opaque. */
typedef void ompt_target_device_t;
typedef void ompt_target_buffer_t;

#define ompt_hwid_none (-1)
#define ompt_dev_task_none (~(uint64_t)0)
#define ompt_time_none (~(uint64_t)0)
/* Where the enumeration of lock types and of atomic types starts. */
#define ompt_lock_type_first 0
#define ompt_atomic_type_first 0

/* ---- Enumerations ---- */

/* The state of a thread. A runtime's own states have greater numbers. */
typedef enum {
    /* Work, outside a parallel region and inside of one. */
    ompt_state_work_serial = 0x00,
    ompt_state_work_parallel = 0x01,
    ompt_state_work_reduction = 0x02,
    /* Waits for work outside a parallel region. */
    ompt_state_idle = 0x10,
    /* Work of the runtime. */
    ompt_state_overhead = 0x20,
    /* Waits in a barrier: of any kind, or of a known one. */
    ompt_state_wait_barrier = 0x40,
    ompt_state_wait_barrier_implicit = 0x41,
    ompt_state_wait_barrier_explicit = 0x42,
    /* Waits for tasks. */
    ompt_state_wait_taskwait = 0x50,
    ompt_state_wait_taskgroup = 0x51,
    /* Waits for a mutex; only in these states the wait identifier is defined. */
    ompt_state_wait_lock = 0x60,
    ompt_state_wait_nest_lock = 0x61,
    ompt_state_wait_critical = 0x62,
    ompt_state_wait_atomic = 0x63,
    ompt_state_wait_ordered = 0x64,
    /* Waits for a device. */
    ompt_state_wait_target = 0x70,
    ompt_state_wait_target_data = 0x71,
    ompt_state_wait_target_update = 0x72,
    /* A thread that is none of OpenMP's. */
    ompt_state_undefined = 0x80,
    /* Where the enumeration of states starts; no thread's state. */
    ompt_state_first = 0x81
} ompt_state_t;

/* The number of an event, with the type of its callback; 64 is no event's. */
typedef enum {
    /* Mandatory. */
    ompt_event_parallel_begin = 1, /* ompt_parallel_begin_callback_t */
    ompt_event_parallel_end = 2, /* ompt_parallel_end_callback_t */
    ompt_event_task_begin = 3, /* ompt_task_begin_callback_t */
    ompt_event_task_end = 4, /* ompt_task_callback_t */
    ompt_event_thread_begin = 5, /* ompt_thread_type_callback_t */
    ompt_event_thread_end = 6, /* ompt_thread_type_callback_t */
    ompt_event_control = 7, /* ompt_control_callback_t */
    ompt_event_runtime_shutdown = 8, /* ompt_callback_t */
    ompt_event_target_task_begin = 62, /* ompt_target_task_begin_callback_t */
    ompt_event_target_task_end = 63, /* ompt_target_task_end_callback_t */
    /* Optional: to blame the thread for which others wait. */
    ompt_event_idle_begin = 9, /* ompt_thread_callback_t */
    ompt_event_idle_end = 10, /* ompt_thread_callback_t */
    ompt_event_wait_barrier_begin = 11, /* ompt_parallel_callback_t */
    ompt_event_wait_barrier_end = 12, /* ompt_parallel_callback_t */
    ompt_event_wait_taskwait_begin = 13, /* ompt_parallel_callback_t */
    ompt_event_wait_taskwait_end = 14, /* ompt_parallel_callback_t */
    ompt_event_wait_taskgroup_begin = 15, /* ompt_parallel_callback_t */
    ompt_event_wait_taskgroup_end = 16, /* ompt_parallel_callback_t */
    ompt_event_release_lock = 17, /* ompt_wait_callback_t */
    ompt_event_release_nest_lock_last = 18, /* ompt_wait_callback_t */
    ompt_event_release_critical = 19, /* ompt_wait_callback_t */
    ompt_event_release_atomic = 20, /* ompt_wait_callback_t */
    ompt_event_release_ordered = 21, /* ompt_wait_callback_t */
    /* Optional: to measure at the begin and the end of constructs. */
    ompt_event_implicit_task_begin = 22, /* ompt_parallel_callback_t */
    ompt_event_implicit_task_end = 23, /* ompt_parallel_callback_t */
    ompt_event_initial_task_begin = 24, /* ompt_task_callback_t */
    ompt_event_initial_task_end = 25, /* ompt_task_callback_t */
    ompt_event_task_switch = 26, /* ompt_task_pair_callback_t */
    ompt_event_loop_begin = 27, /* ompt_workshare_begin_callback_t */
    ompt_event_loop_end = 28, /* ompt_parallel_callback_t */
    ompt_event_sections_begin = 29, /* ompt_workshare_begin_callback_t */
    ompt_event_sections_end = 30, /* ompt_parallel_callback_t */
    ompt_event_single_in_block_begin = 31, /* ompt_workshare_begin_callback_t */
    ompt_event_single_in_block_end = 32, /* ompt_parallel_callback_t */
    ompt_event_single_others_begin = 33, /* ompt_parallel_callback_t */
    ompt_event_single_others_end = 34, /* ompt_parallel_callback_t */
    ompt_event_workshare_begin = 35, /* ompt_workshare_begin_callback_t */
    ompt_event_workshare_end = 36, /* ompt_parallel_callback_t */
    ompt_event_master_begin = 37, /* ompt_sync_callback_t */
    ompt_event_master_end = 38, /* ompt_parallel_callback_t */
    ompt_event_barrier_begin = 39, /* ompt_sync_callback_t */
    ompt_event_barrier_end = 40, /* ompt_parallel_callback_t */
    ompt_event_taskwait_begin = 41, /* ompt_sync_callback_t */
    ompt_event_taskwait_end = 42, /* ompt_parallel_callback_t */
    ompt_event_taskgroup_begin = 43, /* ompt_sync_callback_t */
    ompt_event_taskgroup_end = 44, /* ompt_parallel_callback_t */
    ompt_event_release_nest_lock_prev = 45, /* ompt_wait_callback_t */
    ompt_event_wait_lock = 46, /* ompt_wait_callback_t */
    ompt_event_wait_nest_lock = 47, /* ompt_wait_callback_t */
    ompt_event_wait_critical = 48, /* ompt_lock_callback_t */
    ompt_event_wait_atomic = 49, /* ompt_atomic_callback_t */
    ompt_event_wait_ordered = 50, /* ompt_wait_callback_t */
    ompt_event_acquired_lock = 51, /* ompt_wait_callback_t */
    ompt_event_acquired_nest_lock_first = 52, /* ompt_wait_callback_t */
    ompt_event_acquired_nest_lock_next = 53, /* ompt_wait_callback_t */
    ompt_event_acquired_critical = 54, /* ompt_wait_callback_t */
    ompt_event_acquired_atomic = 55, /* ompt_wait_callback_t */
    ompt_event_acquired_ordered = 56, /* ompt_wait_callback_t */
    ompt_event_init_lock = 57, /* ompt_lock_callback_t */
    ompt_event_init_nest_lock = 58, /* ompt_lock_callback_t */
    ompt_event_destroy_lock = 59, /* ompt_wait_callback_t */
    ompt_event_destroy_nest_lock = 60, /* ompt_wait_callback_t */
    ompt_event_flush = 61, /* ompt_thread_callback_t */
    ompt_event_target_data_begin = 65, /* ompt_target_data_begin_callback_t */
    ompt_event_target_data_end = 66, /* ompt_task_callback_t */
    ompt_event_target_data_map_begin = 67, /* ompt_target_data_map_begin_callback_t */
    ompt_event_target_data_map_end = 68, /* ompt_target_data_map_end_callback_t */
    ompt_event_task_dependences = 69, /* ompt_task_dependences_callback_t */
    ompt_event_task_dependence_pair = 70 /* ompt_task_pair_callback_t */
} ompt_event_t;

typedef enum ompt_thread_type_e {
    ompt_thread_initial = 1,
    ompt_thread_worker = 2,
    ompt_thread_other = 3
} ompt_thread_type_t;

typedef enum ompt_task_type_e {
    /* Outside all parallel regions. */
    ompt_task_serial = 1,
    ompt_task_implicit = 2,
    ompt_task_explicit = 3,
    ompt_task_target = 4,
    /* A construct that made no new task. */
    ompt_task_degenerate = 5
} ompt_task_type_t;

typedef enum ompt_target_task_type_e {
    ompt_target_task_target = 1,
    ompt_target_task_enter_data = 2,
    ompt_target_task_exit_data = 3,
    ompt_target_task_update = 4
} ompt_target_task_type_t;

/* The caller of a parallel region's code on the thread that encountered the construct. */
typedef enum ompt_invoker_e {
    ompt_invoker_program = 0,
    ompt_invoker_runtime = 1
} ompt_invoker_t;

/* A field of two bits. */
typedef enum ompt_task_dependence_flag_e {
    ompt_task_dependence_type_out = 1,
    ompt_task_dependence_type_in = 2,
    ompt_task_dependence_type_inout = 3
} ompt_task_dependence_flag_t;

/* A field of three bits with the map type, and a bit for an operation that is complete when its
 * end is reported. */
typedef enum ompt_target_map_flag_e {
    ompt_target_map_flag_to = 1,
    ompt_target_map_flag_from = 2,
    ompt_target_map_flag_tofrom = 3,
    ompt_target_map_flag_alloc = 4,
    ompt_target_map_flag_release = 5,
    ompt_target_map_flag_delete = 6,
    ompt_target_map_flag_sync = 8
} ompt_target_map_flag_t;

/* The contents of a native trace of a device, one bit each. */
typedef enum ompt_native_mon_flags_e {
    ompt_native_data_motion_explicit = 1,
    ompt_native_data_motion_implicit = 2,
    ompt_native_kernel_invocation = 4,
    ompt_native_kernel_execution = 8,
    ompt_native_driver = 16,
    ompt_native_runtime = 32,
    ompt_native_overhead = 64,
    ompt_native_idleness = 128
} ompt_native_mon_flags_t;

/* The format of a record in a buffer. */
typedef enum {
    ompt_record_ompt = 0,
    ompt_record_correlation = 1,
    ompt_record_native = 2,
    /* The position is out of bounds. */
    ompt_record_invalid = 3
} ompt_record_type_t;

typedef enum {
    ompt_record_native_class_info = 0,
    ompt_record_native_class_event = 1
} ompt_record_native_class_t;

/* ---- Structures that callbacks show ---- */

/* Where a task left the runtime and where it came back to create a task. */
typedef struct ompt_frame_s {
    /* The runtime's frame that called the task's code; NULL before it has. */
    void *exit_runtime_frame;
    /* The task's frame that called the runtime; NULL while it runs its own code. */
    void *reenter_runtime_frame;
} ompt_frame_t;

typedef struct ompt_task_dependence_s {
    void *variable_addr;
    /* An ompt_task_dependence_flag_t. */
    uint32_t dependence_flags;
} ompt_task_dependence_t;

typedef struct ompt_target_map_entry_s {
    void *host_addr;
    void *device_addr;
    size_t bytes;
    /* An ompt_target_map_flag_t. */
    uint32_t mapping_flags;
} ompt_target_map_entry_t;

/* ---- A tool's start ---- */

typedef void (*ompt_interface_fn_t)(void);
/* The entry point of this name, or NULL. */
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *interface_function_name);
/* Of this report, ompt_version is 2. */
typedef void (*ompt_initialize_fn_t)(ompt_function_lookup_t lookup, const char *runtime_version,
                                     unsigned int ompt_version);

/* Defined by the tool; NULL if it does not want to run. */
ompt_initialize_fn_t ompt_tool(void);

/* ---- Callbacks ---- */

/* A callback of any type, for ompt_set_callback; also the type of ompt_event_runtime_shutdown. */
typedef void (*ompt_callback_t)(void);

typedef void (*ompt_thread_callback_t)(ompt_thread_id_t thread_id);
typedef void (*ompt_thread_type_callback_t)(ompt_thread_type_t thread_type,
                                            ompt_thread_id_t thread_id);
typedef void (*ompt_wait_callback_t)(ompt_wait_id_t wait_id);
/* The report gives atomic_type the type uint32_t, which ompt_atomic_type_t is. */
typedef void (*ompt_atomic_callback_t)(ompt_wait_id_t wait_id, uint32_t atomic_type);
typedef void (*ompt_lock_callback_t)(ompt_wait_id_t wait_id, ompt_lock_hint_t lock_hint,
                                     ompt_lock_type_t lock_type);
/* codeptr_ra is the return address of the call that implements the construct. */
typedef void (*ompt_sync_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id,
                                     const void *codeptr_ra);
typedef void (*ompt_workshare_begin_callback_t)(ompt_parallel_id_t parallel_id,
                                                ompt_task_id_t task_id, const void *codeptr_ra);
typedef void (*ompt_parallel_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id);
/* codeptr_ofn is the function that the compiler made of the construct's body. */
typedef void (*ompt_parallel_begin_callback_t)(ompt_task_id_t parent_task_id,
                                               const ompt_frame_t *parent_frame,
                                               ompt_parallel_id_t parallel_id,
                                               uint32_t requested_team_size,
                                               const void *codeptr_ofn, ompt_invoker_t invoker);
/* task_id is the task that encountered the construct. */
typedef void (*ompt_parallel_end_callback_t)(ompt_parallel_id_t parallel_id,
                                             ompt_task_id_t task_id, ompt_invoker_t invoker);
typedef void (*ompt_task_callback_t)(ompt_task_id_t task_id);
typedef void (*ompt_task_begin_callback_t)(ompt_task_id_t parent_task_id,
                                           const ompt_frame_t *parent_frame,
                                           ompt_task_id_t new_task_id, const void *codeptr_ofn);
typedef void (*ompt_target_task_begin_callback_t)(ompt_task_id_t parent_task_id,
                                                  const ompt_frame_t *parent_frame,
                                                  ompt_task_id_t host_task_id, int device_id,
                                                  const void *target_task_code,
                                                  ompt_target_task_type_t task_type);
typedef void (*ompt_target_task_end_callback_t)(ompt_task_id_t host_task_id);
typedef void (*ompt_target_data_begin_callback_t)(ompt_task_id_t task_id, int device_id,
                                                  const void *codeptr_ra);
typedef void (*ompt_target_data_map_begin_callback_t)(ompt_task_id_t task_id, int device_id,
                                                      const ompt_target_map_entry_t *items,
                                                      uint32_t nitems,
                                                      ompt_target_activity_id_t map_id);
typedef void (*ompt_target_data_map_end_callback_t)(int device_id,
                                                    ompt_target_activity_id_t map_id);
typedef void (*ompt_task_dependences_callback_t)(ompt_task_id_t task_id,
                                                 const ompt_task_dependence_t *deps, int ndeps);
typedef void (*ompt_task_pair_callback_t)(ompt_task_id_t first_task_id,
                                          ompt_task_id_t second_task_id);
typedef void (*ompt_control_callback_t)(uint64_t command, uint64_t modifier);

/* ---- Entry points for the host ---- */

/* Only in the initializer. 0: no such event, or not now; 1: the event may happen but has no
 * callback; 2: it never happens; 3: the runtime calls where convenient; 4: it always calls. */
typedef int (*ompt_set_callback_t)(ompt_event_t event, ompt_callback_t callback);
/* 1 and the callback, or 0. */
typedef int (*ompt_get_callback_t)(ompt_event_t event, ompt_callback_t *callback);

/* Each enumeration: 1 and what comes after the first argument, or 0 after the last. */
typedef int (*ompt_enumerate_state_t)(ompt_state_t current_state, ompt_state_t *next_state,
                                      const char **next_state_name);
typedef int (*ompt_enumerate_lock_type_t)(ompt_lock_type_t current_type,
                                          ompt_lock_type_t *next_type,
                                          const char **next_type_name);
/* The plural stands in the report's prose. */
typedef ompt_enumerate_lock_type_t ompt_enumerate_lock_types_t;
/* Stands in the report's text, not in its appendix. */
typedef int (*ompt_enumerate_atomic_type_t)(ompt_atomic_type_t current_type,
                                            ompt_atomic_type_t *next_type,
                                            const char **next_type_implementation);

/* 0 for a thread that is none of OpenMP's. */
typedef ompt_thread_id_t (*ompt_get_thread_id_t)(void);
/* wait_id may be NULL. */
typedef ompt_state_t (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
/* Level 0 is the innermost region; 0, or -1, if there is none at this level. */
typedef ompt_parallel_id_t (*ompt_get_parallel_id_t)(int ancestor_level);
typedef int (*ompt_get_parallel_team_size_t)(int ancestor_level);
/* 1 if there is a task at this level. Each pointer may be NULL. */
typedef ompt_bool (*ompt_get_task_info_t)(int ancestor_level, ompt_task_type_t *type,
                                          ompt_task_id_t *task_id, ompt_frame_t **task_frame,
                                          ompt_parallel_id_t *par_id);

typedef int (*ompt_get_num_devices_t)(void);
/* -1 outside of target constructs. */
typedef int (*ompt_target_get_device_id_t)(void);
/* 0 if there is such a device. type may be NULL. The report passes documentation by value, though
 * it describes an output. */
typedef int (*ompt_target_get_device_info_t)(int device_id, const char **type,
                                             ompt_target_device_t **device,
                                             ompt_function_lookup_t *lookup,
                                             const char *documentation);
/* This name stands in the report's prose. */
typedef ompt_target_get_device_info_t ompt_get_device_info_t;

/* Of drafts of the report only; ompt_get_task_info took their place. 0 or NULL if there is no task
 * at this depth, or if the thread has no idle loop. */
typedef ompt_task_id_t (*ompt_get_task_id_t)(int depth);
typedef ompt_frame_t *(*ompt_get_task_frame_t)(int depth);
typedef void *(*ompt_get_idle_frame_t)(void);

/* ---- Records of a device's trace ---- */

typedef struct ompt_record_native_abstract_s {
    ompt_record_native_class_t rclass;
    const char *type;
    ompt_target_time_t start_time;
    ompt_target_time_t end_time;
    ompt_target_activity_id_t dev_task_id;
    uint64_t hwid;
} ompt_record_native_abstract_t;

/* Links an activity on the device with a target task of the host. */
typedef struct ompt_record_correlation_s {
    ompt_task_id_t host_task_id;
    ompt_target_activity_id_t dev_task_id;
} ompt_record_correlation_t;

typedef struct ompt_record_thread_s {
    ompt_thread_id_t thread_id;
} ompt_record_thread_t;

typedef struct ompt_record_thread_type_s {
    ompt_thread_type_t thread_type;
    ompt_thread_id_t thread_id;
} ompt_record_thread_type_t;

typedef struct ompt_record_wait_id_s {
    ompt_wait_id_t wait_id;
} ompt_record_wait_id_t;

typedef struct ompt_record_parallel_s {
    ompt_parallel_id_t parallel_id;
    ompt_task_id_t task_id;
} ompt_record_parallel_t;

typedef struct ompt_record_workshare_begin_s {
    ompt_parallel_id_t parallel_id;
    ompt_task_id_t task_id;
    void *codeptr_ra;
} ompt_record_workshare_begin_t;

typedef struct ompt_record_parallel_begin_s {
    ompt_task_id_t parent_task_id;
    ompt_frame_t *parent_frame;
    ompt_parallel_id_t parallel_id;
    uint32_t requested_team_size;
    void *codeptr_ofn;
} ompt_record_parallel_begin_t;

typedef struct ompt_record_task_s {
    ompt_task_id_t task_id;
} ompt_record_task_t;

typedef struct ompt_record_task_pair_s {
    ompt_task_id_t first_task_id;
    ompt_task_id_t second_task_id;
} ompt_record_task_pair_t;

typedef struct ompt_record_task_begin_s {
    ompt_task_id_t parent_task_id;
    ompt_frame_t *parent_task_frame;
    ompt_task_id_t new_task_id;
    void *codeptr_ofn;
} ompt_record_task_begin_t;

/* The next five are no members of ompt_record_ompt_t. */
typedef struct ompt_record_target_task_begin_s {
    ompt_task_id_t parent_task_id;
    ompt_frame_t *parent_task_frame;
    ompt_task_id_t target_task_id;
    int device_id;
    void *target_task_code;
} ompt_record_target_task_begin_t;

typedef struct ompt_record_target_data_begin_s {
    ompt_task_id_t task_id;
    int device_id;
    void *codeptr_ra;
} ompt_record_target_data_begin_t;

typedef struct ompt_record_data_map_begin_s {
    ompt_task_id_t task_id;
    int device_id;
    void *host_addr;
    void *device_addr;
    size_t bytes;
    uint32_t mapping_flags;
    void *target_map_code;
} ompt_record_data_map_begin_t;

typedef struct ompt_record_data_map_done_s {
    ompt_task_id_t task_id;
    int device_id;
    void *host_addr;
    void *device_addr;
    size_t bytes;
    uint32_t mapping_flags;
} ompt_record_data_map_done_t;

typedef struct ompt_record_task_dependences_s {
    ompt_task_id_t task_id;
    ompt_task_dependence_t *deps;
    int ndeps;
} ompt_record_task_dependences_t;

/* type says which member of record is set. */
typedef struct ompt_record_ompt_s {
    ompt_event_t type;
    ompt_target_time_t time;
    ompt_thread_id_t thread_id;
    ompt_target_activity_id_t dev_task_id;
    union {
        ompt_record_thread_t thread;
        ompt_record_thread_type_t type;
        ompt_record_wait_id_t waitid;
        ompt_record_parallel_t parallel;
        ompt_record_workshare_begin_t new_workshare;
        ompt_record_parallel_begin_t new_parallel;
        ompt_record_task_t task;
        ompt_record_task_pair_t task_switch;
        ompt_record_task_begin_t new_task;
    } record;
} ompt_record_ompt_t;

/* ---- Entry points for a device ---- */

/* The tool gives a buffer and its size; with the size 0 the device drops records until the next
 * start. The report's appendix has this type without device_id, its section 6.3 has it so. */
typedef void (*ompt_target_buffer_request_callback_t)(int device_id, ompt_target_buffer_t **buffer,
                                                      size_t *bytes);
/* The records from begin to end are complete, and the buffer is the tool's again. */
typedef void (*ompt_target_buffer_complete_callback_t)(int device_id,
                                                       const ompt_target_buffer_t *buffer,
                                                       size_t bytes,
                                                       ompt_target_buffer_cursor_t begin,
                                                       ompt_target_buffer_cursor_t end);

typedef ompt_target_time_t (*ompt_target_get_time_t)(ompt_target_device_t *device);
/* By the clock of omp_get_wtime. */
typedef double (*ompt_target_translate_time_t)(ompt_target_device_t *device,
                                               ompt_target_time_t time);

/* Results as of ompt_set_callback. rtype is the number of an event, 0 for all; the appendix gives
 * it the type ompt_record_type_t, whose values convert to this one as well. */
typedef int (*ompt_target_set_trace_ompt_t)(ompt_target_device_t *device, ompt_bool enable,
                                            uint32_t rtype);
typedef int (*ompt_target_set_trace_native_t)(ompt_target_device_t *device, ompt_bool enable,
                                              uint32_t flags);
/* 1 if that was done, else 0. */
typedef int (*ompt_target_start_trace_t)(ompt_target_device_t *device,
                                         ompt_target_buffer_request_callback_t request,
                                         ompt_target_buffer_complete_callback_t complete);
typedef int (*ompt_target_pause_trace_t)(ompt_target_device_t *device, ompt_bool begin_pause);
typedef int (*ompt_target_stop_trace_t)(ompt_target_device_t *device);

/* 0 and the position after current, or 1 if there is none. */
typedef int (*ompt_target_advance_buffer_cursor_t)(ompt_target_buffer_t *buffer,
                                                   ompt_target_buffer_cursor_t current,
                                                   ompt_target_buffer_cursor_t *next);
typedef ompt_record_type_t (*ompt_target_buffer_get_record_type_t)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
/* Each record is valid until the next call. */
typedef ompt_record_ompt_t *(*ompt_target_buffer_get_record_ompt_t)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
typedef ompt_record_correlation_t *(*ompt_target_buffer_get_record_correlation_t)(
    ompt_target_buffer_t *buffer, ompt_target_buffer_cursor_t current);
typedef void *(*ompt_target_buffer_get_record_native_t)(ompt_target_buffer_t *buffer,
                                                        ompt_target_buffer_cursor_t current);
typedef ompt_record_native_abstract_t *(*ompt_target_buffer_get_record_native_abstract_t)(
    void *native_record);

/* ---- For programs ---- */

/* Passes a command to the tool: 1 start or go on, 2 pause, 3 flush and go on, 4 end for good; from
 * 64 on, the tool's own. Of Fortran, a subroutine with two arguments of the kind integer*8. */
void ompt_control(uint64_t command, uint64_t modifier);

#ifdef __cplusplus
}
#endif

#endif
#endif
