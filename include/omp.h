/* omp.h: the routines, types and constants that OpenMP 5.2 gives to C and C++ programs (host API).
 *
 * Types have the size and alignment that the compiler's own header gives them, so that objects
 * compiled with either header fit together; LLVM and GCC differ in locks and depend objects.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#ifndef OXOMP_OMP_H
#define OXOMP_OMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define OXOMP_BEGIN extern "C" {
#define OXOMP_END }
#define OXOMP_DEFAULT(value) = value
#else
#define OXOMP_BEGIN
#define OXOMP_END
#define OXOMP_DEFAULT(value)
#endif

/* Begins an enumeration that is as wide as a pointer. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define OXOMP_HANDLE(name) typedef enum name : uintptr_t
#else
#define OXOMP_HANDLE(name) __extension__ typedef enum name
#endif

/* LLVM's libomp has the C form of these routines under the prefix `ompc_`; the plain names take
 * the length of a Fortran string as well. */
#ifdef __clang__
#define OXOMP_C_FORM(name) __asm__("ompc_" name)
#else
#define OXOMP_C_FORM(name)
#endif

OXOMP_BEGIN

typedef intptr_t omp_intptr_t;
typedef uintptr_t omp_uintptr_t;

/* ---- Threads, teams and their control variables ---- */

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    /* Or-ed to one of the others: only the highest bit is set. */
    omp_sched_monotonic = -0x7fffffff - 1
} omp_sched_t;

typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = omp_proc_bind_primary,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;

extern void omp_set_num_threads(int num_threads);
extern int omp_get_num_threads(void);
extern int omp_get_max_threads(void);
extern int omp_get_thread_num(void);
extern int omp_in_parallel(void);
extern void omp_set_dynamic(int dynamic_threads);
extern int omp_get_dynamic(void);
extern int omp_get_cancellation(void);
/* Deprecated since 5.0: use omp_set_max_active_levels and omp_get_max_active_levels. */
extern void omp_set_nested(int nested);
extern int omp_get_nested(void);
extern void omp_set_schedule(omp_sched_t kind, int chunk_size);
extern void omp_get_schedule(omp_sched_t *kind, int *chunk_size);
extern int omp_get_thread_limit(void);
extern int omp_get_supported_active_levels(void);
extern void omp_set_max_active_levels(int max_levels);
extern int omp_get_max_active_levels(void);
extern int omp_get_level(void);
extern int omp_get_ancestor_thread_num(int level);
extern int omp_get_team_size(int level);
extern int omp_get_active_level(void);
extern int omp_get_num_procs(void);
extern void omp_display_env(int verbose);

extern int omp_get_num_teams(void);
extern int omp_get_team_num(void);
extern void omp_set_num_teams(int num_teams);
extern int omp_get_max_teams(void);
extern void omp_set_teams_thread_limit(int thread_limit);
extern int omp_get_teams_thread_limit(void);

/* ---- Places ---- */

extern omp_proc_bind_t omp_get_proc_bind(void);
extern int omp_get_num_places(void);
extern int omp_get_place_num_procs(int place_num);
extern void omp_get_place_proc_ids(int place_num, int *ids);
extern int omp_get_place_num(void);
extern int omp_get_partition_num_places(void);
extern void omp_get_partition_place_nums(int *place_nums);
extern void omp_set_affinity_format(const char *format) OXOMP_C_FORM("set_affinity_format");
extern size_t omp_get_affinity_format(char *buffer, size_t size)
    OXOMP_C_FORM("get_affinity_format");
extern void omp_display_affinity(const char *format) OXOMP_C_FORM("display_affinity");
extern size_t omp_capture_affinity(char *buffer, size_t size, const char *format)
    OXOMP_C_FORM("capture_affinity");

/* ---- Time, in seconds ---- */

extern double omp_get_wtime(void);
extern double omp_get_wtick(void);

/* ---- Tasks and events ---- */

OXOMP_HANDLE(omp_event_handle_t) { omp_event_handle_max = UINTPTR_MAX } omp_event_handle_t;

#ifdef __clang__
typedef void *omp_depend_t;
#else
typedef struct omp_depend_t {
    void *address;
    void *kind;
} omp_depend_t;
#endif

extern int omp_in_explicit_task(void);
extern int omp_in_final(void);
extern int omp_get_max_task_priority(void);
extern void omp_fulfill_event(omp_event_handle_t event);

/* ---- Locks ---- */

#ifdef __clang__
typedef struct omp_lock_t {
    void *word;
} omp_lock_t;
typedef struct omp_nest_lock_t {
    void *word;
} omp_nest_lock_t;
#else
typedef struct omp_lock_t {
    unsigned word;
} omp_lock_t;
typedef struct omp_nest_lock_t {
    void *words[2];
} omp_nest_lock_t;
#endif

typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_lock_hint_none = omp_sync_hint_none,
    omp_sync_hint_uncontended = 1,
    omp_lock_hint_uncontended = omp_sync_hint_uncontended,
    omp_sync_hint_contended = 2,
    omp_lock_hint_contended = omp_sync_hint_contended,
    omp_sync_hint_nonspeculative = 4,
    omp_lock_hint_nonspeculative = omp_sync_hint_nonspeculative,
    omp_sync_hint_speculative = 8,
    omp_lock_hint_speculative = omp_sync_hint_speculative
} omp_sync_hint_t;

typedef omp_sync_hint_t omp_lock_hint_t;

extern void omp_init_lock(omp_lock_t *lock);
extern void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint);
extern void omp_destroy_lock(omp_lock_t *lock);
extern void omp_set_lock(omp_lock_t *lock);
extern void omp_unset_lock(omp_lock_t *lock);
extern int omp_test_lock(omp_lock_t *lock);
extern void omp_init_nest_lock(omp_nest_lock_t *lock);
extern void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint);
extern void omp_destroy_nest_lock(omp_nest_lock_t *lock);
extern void omp_set_nest_lock(omp_nest_lock_t *lock);
extern void omp_unset_nest_lock(omp_nest_lock_t *lock);
extern int omp_test_nest_lock(omp_nest_lock_t *lock);

/* ---- Memory ---- */

/* The numbers are LLVM's. In gcc's header, and in LLVM's up to 19, the default memory space is 0 and
 * omp_atv_all is 7: the runtime takes these for the same where an allocator is made. */

OXOMP_HANDLE(omp_memspace_handle_t) {
    omp_null_mem_space = 0,
    omp_default_mem_space = 99,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4,
    omp_memspace_handle_max = UINTPTR_MAX
} omp_memspace_handle_t;

OXOMP_HANDLE(omp_allocator_handle_t) {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
    omp_allocator_handle_max = UINTPTR_MAX
} omp_allocator_handle_t;

typedef enum omp_alloctrait_key_t {
    omp_atk_sync_hint = 1,
    omp_atk_alignment = 2,
    omp_atk_access = 3,
    omp_atk_pool_size = 4,
    omp_atk_fallback = 5,
    omp_atk_fb_data = 6,
    omp_atk_pinned = 7,
    omp_atk_partition = 8,
    omp_atk_pin_device = 9,
    omp_atk_preferred_device = 10,
    omp_atk_device_access = 11,
    omp_atk_target_access = 12,
    omp_atk_atomic_scope = 13,
    omp_atk_part_size = 14
} omp_alloctrait_key_t;

typedef enum omp_alloctrait_value_t {
    omp_atv_default = -1,
    omp_atv_false = 0,
    omp_atv_true = 1,
    omp_atv_contended = 3,
    omp_atv_uncontended = 4,
    omp_atv_serialized = 5,
    omp_atv_sequential = omp_atv_serialized,
    omp_atv_private = 6,
    omp_atv_device = 7,
    omp_atv_thread = 8,
    omp_atv_pteam = 9,
    omp_atv_cgroup = 10,
    omp_atv_default_mem_fb = 11,
    omp_atv_null_fb = 12,
    omp_atv_abort_fb = 13,
    omp_atv_allocator_fb = 14,
    omp_atv_environment = 15,
    omp_atv_nearest = 16,
    omp_atv_blocked = 17,
    omp_atv_interleaved = 18,
    omp_atv_all = 19,
    omp_atv_single = 20,
    omp_atv_multiple = 21,
    omp_atv_memspace = 22
} omp_alloctrait_value_t;

typedef struct omp_alloctrait_t {
    omp_alloctrait_key_t key;
    omp_uintptr_t value;
} omp_alloctrait_t;

typedef enum omp_access_t { omp_access_cgroup = 0, omp_access_pteam = 1 } omp_access_t;

extern omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t memspace, int ntraits,
                                                 const omp_alloctrait_t traits[]);
extern void omp_destroy_allocator(omp_allocator_handle_t allocator);
extern void omp_set_default_allocator(omp_allocator_handle_t allocator);
extern omp_allocator_handle_t omp_get_default_allocator(void);
extern void *omp_alloc(size_t size,
                       omp_allocator_handle_t allocator OXOMP_DEFAULT(omp_null_allocator));
extern void *omp_aligned_alloc(size_t alignment, size_t size,
                               omp_allocator_handle_t allocator OXOMP_DEFAULT(omp_null_allocator));
extern void *omp_calloc(size_t nmemb, size_t size,
                        omp_allocator_handle_t allocator OXOMP_DEFAULT(omp_null_allocator));
extern void *omp_aligned_calloc(size_t alignment, size_t nmemb, size_t size,
                                omp_allocator_handle_t allocator
                                    OXOMP_DEFAULT(omp_null_allocator));
extern void *omp_realloc(void *ptr, size_t size,
                         omp_allocator_handle_t allocator OXOMP_DEFAULT(omp_null_allocator),
                         omp_allocator_handle_t free_allocator OXOMP_DEFAULT(omp_null_allocator));
extern void omp_free(void *ptr, omp_allocator_handle_t allocator OXOMP_DEFAULT(omp_null_allocator));

extern omp_memspace_handle_t omp_get_devices_memspace(int ndevs, const int *devs,
                                                      omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_device_memspace(int dev, omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_devices_and_host_memspace(int ndevs, const int *devs,
                                                               omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_device_and_host_memspace(int dev,
                                                              omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_devices_all_memspace(omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_devices_allocator(int ndevs, const int *devs,
                                                        omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_device_allocator(int dev, omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_devices_and_host_allocator(int ndevs, const int *devs,
                                                                 omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_device_and_host_allocator(int dev,
                                                                omp_memspace_handle_t memspace);
extern omp_allocator_handle_t omp_get_devices_all_allocator(omp_memspace_handle_t memspace);
extern int omp_get_memspace_num_resources(omp_memspace_handle_t memspace);
extern omp_memspace_handle_t omp_get_submemspace(omp_memspace_handle_t memspace, int num_resources,
                                                 int *resources);
extern void *omp_get_dyn_gprivate_ptr(size_t offset OXOMP_DEFAULT(0),
                                      omp_access_t access_group
                                          OXOMP_DEFAULT(omp_access_cgroup));
extern void *omp_get_dyn_gprivate_nofb_ptr(size_t offset OXOMP_DEFAULT(0),
                                           omp_access_t access_group
                                               OXOMP_DEFAULT(omp_access_cgroup));
extern size_t omp_get_dyn_gprivate_size(omp_access_t access_group
                                            OXOMP_DEFAULT(omp_access_cgroup));
extern omp_memspace_handle_t omp_get_dyn_gprivate_memspace(
    omp_access_t access_group OXOMP_DEFAULT(omp_access_cgroup));

/* ---- Resources and tools ---- */

typedef enum omp_pause_resource_t { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;

typedef enum omp_control_tool_t {
    omp_control_tool_start = 1,
    omp_control_tool_pause = 2,
    omp_control_tool_flush = 3,
    omp_control_tool_end = 4
} omp_control_tool_t;

typedef enum omp_control_tool_result_t {
    omp_control_tool_notool = -2,
    omp_control_tool_nocallback = -1,
    omp_control_tool_success = 0,
    omp_control_tool_ignored = 1
} omp_control_tool_result_t;

/* 0 if the resources were released. */
extern int omp_pause_resource(omp_pause_resource_t kind, int device_num);
extern int omp_pause_resource_all(omp_pause_resource_t kind);
/* Commands from 64 on belong to the tool; the result is an omp_control_tool_result_t or its own. */
extern int omp_control_tool(int command, int modifier, void *arg);

/* ---- Devices ---- */

#ifdef __clang__
enum { omp_initial_device = -1, omp_invalid_device = -2 };
#else
enum { omp_initial_device = -1, omp_invalid_device = -4 };
#endif

extern void omp_set_default_device(int device_num);
extern int omp_get_default_device(void);
extern int omp_get_num_devices(void);
extern int omp_get_device_num(void);
extern int omp_get_initial_device(void);
extern int omp_is_initial_device(void);
extern void *omp_target_alloc(size_t size, int device_num);
extern void omp_target_free(void *device_ptr, int device_num);
extern int omp_target_is_present(const void *ptr, int device_num);
extern int omp_target_is_accessible(const void *ptr, size_t size, int device_num);
extern int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
                             size_t src_offset, int dst_device_num, int src_device_num);
extern int omp_target_memcpy_rect(void *dst, const void *src, size_t element_size, int num_dims,
                                  const size_t *volume, const size_t *dst_offsets,
                                  const size_t *src_offsets, const size_t *dst_dimensions,
                                  const size_t *src_dimensions, int dst_device_num,
                                  int src_device_num);
extern int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset,
                                   size_t src_offset, int dst_device_num, int src_device_num,
                                   int depobj_count, omp_depend_t *depobj_list);
extern int omp_target_memcpy_rect_async(void *dst, const void *src, size_t element_size,
                                        int num_dims, const size_t *volume,
                                        const size_t *dst_offsets, const size_t *src_offsets,
                                        const size_t *dst_dimensions, const size_t *src_dimensions,
                                        int dst_device_num, int src_device_num, int depobj_count,
                                        omp_depend_t *depobj_list);
/* Since OpenMP 6.0. */
extern void *omp_target_memset(void *ptr, int value, size_t count, int device_num);
extern void *omp_target_memset_async(void *ptr, int value, size_t count, int device_num,
                                     int depobj_count, omp_depend_t *depobj_list);
extern int omp_target_associate_ptr(const void *host_ptr, const void *device_ptr, size_t size,
                                    size_t device_offset, int device_num);
extern int omp_target_disassociate_ptr(const void *ptr, int device_num);
extern void *omp_get_mapped_ptr(const void *ptr, int device_num);
/* Since OpenMP 6.0: null and omp_invalid_device if there is no such device. */
extern const char *omp_get_uid_from_device(int device_num);
extern int omp_get_device_from_uid(const char *uid);

/* ---- Objects of other programming models ---- */

typedef void *omp_interop_t;
#define omp_interop_none ((omp_interop_t)0)

typedef enum omp_interop_property_t {
    omp_ipr_fr_id = -1,
    omp_ipr_fr_name = -2,
    omp_ipr_vendor = -3,
    omp_ipr_vendor_name = -4,
    omp_ipr_device_num = -5,
    omp_ipr_platform = -6,
    omp_ipr_device = -7,
    omp_ipr_device_context = -8,
    omp_ipr_targetsync = -9,
    omp_ipr_first = omp_ipr_targetsync
} omp_interop_property_t;

typedef enum omp_interop_rc_t {
    omp_irc_no_value = 1,
    omp_irc_success = 0,
    omp_irc_empty = -1,
    omp_irc_out_of_range = -2,
    omp_irc_type_int = -3,
    omp_irc_type_ptr = -4,
    omp_irc_type_str = -5,
    omp_irc_other = -6
} omp_interop_rc_t;

extern int omp_get_num_interop_properties(const omp_interop_t interop);
extern omp_intptr_t omp_get_interop_int(const omp_interop_t interop,
                                        omp_interop_property_t property_id, int *ret_code);
extern void *omp_get_interop_ptr(const omp_interop_t interop, omp_interop_property_t property_id,
                                 int *ret_code);
extern const char *omp_get_interop_str(const omp_interop_t interop,
                                       omp_interop_property_t property_id, int *ret_code);
extern const char *omp_get_interop_name(const omp_interop_t interop,
                                        omp_interop_property_t property_id);
extern const char *omp_get_interop_type_desc(const omp_interop_t interop,
                                             omp_interop_property_t property_id);
extern const char *omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t ret_code);

OXOMP_END

#undef OXOMP_BEGIN
#undef OXOMP_END
#undef OXOMP_DEFAULT
#undef OXOMP_HANDLE
#undef OXOMP_C_FORM

#endif
