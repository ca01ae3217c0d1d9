// A tool inside of the program that keeps every event of devices, in the order of their callbacks.
// TARGET_TOOL says which form it registers: 1 the ones with endpoints (emi), 2 the others, 0 nothing at all.
#ifndef TARGET_TOOL_H
#define TARGET_TOOL_H

#define _GNU_SOURCE

#include "check.h"
#include <dlfcn.h>
#include <omp.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum about { TARGET, DATA_OP, SUBMIT, MAP, INITIALIZE, FINALIZE, LOAD, UNLOAD };

// endpoint is 0 where the callback has none; kind is that of the construct or the operation.
struct event {
    enum about about;
    int endpoint, kind, device, from_device, to_device, teams;
    uint64_t target, operation, task, target_task;
    const void *code;
    char *from, *to;
    size_t bytes;
    pthread_t thread;
};

enum { MOST_EVENTS = 400000 };
static struct event events[MOST_EVENTS];
static int event_count, tool_results[40];
static uint64_t last_id;
static void (*tool_at_end)(void);
static ompt_function_lookup_t device_lookup, tool_lookup;

static inline uint64_t new_id(void)
{
    return __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
}

static inline struct event *add(enum about about, int endpoint)
{
    int at = __atomic_fetch_add(&event_count, 1, __ATOMIC_RELAXED);
    struct event *event = &events[at < MOST_EVENTS ? at : MOST_EVENTS - 1];
    *event = (struct event){.about = about, .endpoint = endpoint, .device = -1, .thread = pthread_self()};
    return event;
}

static inline uint64_t id_of(ompt_data_t *data)
{
    if (data == NULL)
        return 0;
    if (data->value == 0)
        data->value = new_id();
    return data->value;
}

static inline void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                                 ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target,
                                 const void *code)
{
    struct event *event = add(TARGET, endpoint);
    event->kind = kind;
    event->device = device;
    event->task = id_of(task);
    event->target_task = id_of(target_task);
    event->target = id_of(target);
    event->code = code;
}

static inline void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                             ompt_id_t target, const void *code)
{
    struct event *event = add(TARGET, endpoint);
    event->kind = kind;
    event->device = device;
    event->task = id_of(task);
    event->target = target;
    event->code = code;
}

static inline struct event *add_data_op(int endpoint, uint64_t target, uint64_t operation, int kind, void *from,
                                        int from_device, void *to, int to_device, size_t bytes, const void *code)
{
    struct event *event = add(DATA_OP, endpoint);
    event->kind = kind;
    event->target = target;
    event->operation = operation;
    event->from = from;
    event->from_device = from_device;
    event->to = to;
    event->to_device = to_device;
    event->bytes = bytes;
    event->code = code;
    return event;
}

static inline void on_data_op(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t kind, void *from,
                              int from_device, void *to, int to_device, size_t bytes, const void *code)
{
    add_data_op(0, target, operation, kind, from, from_device, to, to_device, bytes, code);
}

static inline void on_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *target,
                                  ompt_id_t *operation, ompt_target_data_op_t kind, void *from,
                                  int from_device, void *to, int to_device, size_t bytes, const void *code)
{
    if (endpoint != ompt_scope_end)
        *operation = new_id();
    add_data_op(endpoint, id_of(target), *operation, kind, from, from_device, to, to_device, bytes, code)
        ->target_task = id_of(target_task);
}

static inline void on_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation,
                                 unsigned teams)
{
    if (endpoint == ompt_scope_begin)
        *operation = new_id();
    struct event *event = add(SUBMIT, endpoint);
    event->target = id_of(target);
    event->operation = *operation;
    event->teams = teams;
}

static inline void on_submit(ompt_id_t target, ompt_id_t operation, unsigned teams)
{
    struct event *event = add(SUBMIT, 0);
    event->target = target;
    event->operation = operation;
    event->teams = teams;
}

// One event for each item.
static inline void on_map(ompt_id_t target, unsigned items, void **from, void **to, size_t *bytes, unsigned *flags,
                          const void *code)
{
    for (unsigned i = 0; i < items; i++) {
        struct event *event = add(MAP, 0);
        event->kind = flags[i];
        event->target = target;
        event->from = from[i];
        event->to = to[i];
        event->bytes = bytes[i];
        event->code = code;
    }
}

static inline void on_map_emi(ompt_data_t *target, unsigned items, void **from, void **to, size_t *bytes,
                              unsigned *flags, const void *code)
{
    on_map(id_of(target), items, from, to, bytes, flags, code);
}

static inline void on_initialize(int device, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup,
                                 const char *documentation)
{
    (void)handle;
    (void)documentation;
    struct event *event = add(INITIALIZE, 0);
    event->device = device;
    event->bytes = type == NULL ? 0 : strlen(type);
    device_lookup = lookup;
}

static inline void on_finalize(int device)
{
    add(FINALIZE, 0)->device = device;
}

static inline void on_load(int device, const char *file, int64_t offset, void *vma, size_t bytes, void *host,
                           void *there, uint64_t module)
{
    (void)file;
    (void)offset;
    (void)vma;
    struct event *event = add(LOAD, 0);
    event->device = device;
    event->bytes = bytes;
    event->from = host;
    event->to = there;
    event->operation = module;
}

static inline void on_unload(int device, uint64_t module)
{
    struct event *event = add(UNLOAD, 0);
    event->device = device;
    event->operation = module;
}

static inline int tool_start(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
    (void)initial_device;
    (void)data;
    tool_lookup = lookup;
#if TARGET_TOOL & 3
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    struct {
        ompt_callbacks_t which;
        ompt_callback_t function;
    } wanted[] = {
#if TARGET_TOOL & 1
        {ompt_callback_target_emi, (ompt_callback_t)on_target_emi},
        {ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op_emi},
        {ompt_callback_target_submit_emi, (ompt_callback_t)on_submit_emi},
        {ompt_callback_target_map_emi, (ompt_callback_t)on_map_emi},
#endif
#if TARGET_TOOL & 2
        {ompt_callback_target, (ompt_callback_t)on_target},
        {ompt_callback_target_data_op, (ompt_callback_t)on_data_op},
        {ompt_callback_target_submit, (ompt_callback_t)on_submit},
        {ompt_callback_target_map, (ompt_callback_t)on_map},
#endif
        {ompt_callback_device_initialize, (ompt_callback_t)on_initialize},
        {ompt_callback_device_finalize, (ompt_callback_t)on_finalize},
        {ompt_callback_device_load, (ompt_callback_t)on_load},
        {ompt_callback_device_unload, (ompt_callback_t)on_unload},
    };
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
        tool_results[wanted[i].which] = set(wanted[i].which, wanted[i].function);
#endif
    return 1;
}

// Calls `begin` with the look-up of the tool's initializer, which has run when the runtime has started.
static inline void tool_begin(void (*begin)(ompt_function_lookup_t))
{
    omp_get_max_threads();
    begin(tool_lookup);
}

static inline int tool_set(ompt_callbacks_t which, ompt_callback_t function)
{
    omp_get_max_threads();
    return ((ompt_set_callback_t)tool_lookup("ompt_set_callback"))(which, function);
}

static inline void tool_finalize(void)
{
    ((ompt_finalize_tool_t)tool_lookup("ompt_finalize_tool"))();
}

static inline void tool_finish(ompt_data_t *data)
{
    (void)data;
    if (tool_at_end != NULL)
        tool_at_end();
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {tool_start, tool_finish, {0}};
    (void)version;
    (void)runtime;
    return &result;
}

// The event number `which` of this kind after `after`; NULL if there is none.
static inline struct event *find(int after, enum about about, int endpoint, int kind)
{
    for (int i = after; i < event_count; i++)
        if (events[i].about == about && events[i].endpoint == endpoint && events[i].kind == kind)
            return &events[i];
    return NULL;
}

static inline int count(int after, enum about about, int endpoint, int kind)
{
    int found = 0;
    for (int i = after; i < event_count; i++)
        found += events[i].about == about && events[i].endpoint == endpoint && events[i].kind == kind;
    return found;
}

// Whether `code` is an address of the function `name`, which is not static; the program is linked with
// -rdynamic.
static inline int is_in(const void *code, const char *name)
{
    Dl_info about;
    int found = code != NULL && dladdr((const char *)code - 1, &about) != 0 && about.dli_sname != NULL
        && strcmp(about.dli_sname, name) == 0;
    if (!found)
        fprintf(stderr, "%p is not in %s\n", code, name);
    return found;
}

static inline void print_events(int after)
{
    static const char *names[] = {"target", "data_op", "submit", "map", "initialize", "finalize", "load", "unload"};
    for (int i = after; i < event_count; i++) {
        struct event *e = &events[i];
        fprintf(stderr, "  %s endpoint=%d kind=%d device=%d target=%llu op=%llu task=%llu target_task=%llu "
                "%p@%d -> %p@%d bytes=%zu teams=%d code=%p\n", names[e->about], e->endpoint, e->kind, e->device,
                (unsigned long long)e->target, (unsigned long long)e->operation, (unsigned long long)e->task,
                (unsigned long long)e->target_task, (void *)e->from, e->from_device, (void *)e->to, e->to_device,
                e->bytes, e->teams, e->code);
    }
}

#endif
