/* A tool of the 2015 report that records every event: its arguments, and what the entry points
 * answer inside the callback. The callbacks only take a slot of a fixed array and fill it, so they
 * may run anywhere; the callback of runtime_shutdown writes the file that OXOMP_RECORD names, in
 * the format of oxomp's recorder (`trace::log`). Identifiers appear as small numbers, in the order
 * of their first appearance: p1 is a region, t1 a task, i1 a thread, w1 a wait identifier, m1 a
 * mapping, d1 a variable. */
#define _GNU_SOURCE
#include "signatures.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SLOTS = 1 << 17, PAIRS = 16, CONTEXT_LEVELS = 4 };

/* What the entry points answer for one level of a thread's tasks. */
struct level {
    int is_there;
    ompt_task_type_t type;
    ompt_task_id_t task;
    ompt_parallel_id_t parallel, queried_parallel;
    int size;
    void *exit, *reenter;
};

struct slot {
    int event; /* 0: the slot continues the one before it */
    long thread;
    uint64_t arguments[7];
    void *exit, *reenter; /* of the frame that is an argument */
    ompt_thread_id_t thread_id;
    ompt_state_t state;
    ompt_wait_id_t wait;
    struct level levels[CONTEXT_LEVELS];
    uint32_t pairs; /* dependences or mapped items */
    struct pair {
        uint64_t address;
        uint32_t flags;
    } pair[PAIRS];
};

static struct slot slots[SLOTS];
static atomic_uint used;
static atomic_int is_over;
static const char *version;
static unsigned interface;
static int answers[72], answer_names[72], answer_count, gets[72];
static int (*set_callback)(ompt_event_t, ompt_callback_t);
static int (*get_callback)(ompt_event_t, ompt_callback_t *);
static ompt_thread_id_t (*get_thread_id)(void);
static ompt_state_t (*get_state)(ompt_wait_id_t *);
static ompt_parallel_id_t (*get_parallel_id)(int);
static int (*get_parallel_team_size)(int);
static ompt_bool (*get_task_info)(int, ompt_task_type_t *, ompt_task_id_t *, ompt_frame_t **,
                                  ompt_parallel_id_t *);
static int (*enumerate_lock_type)(ompt_lock_type_t, ompt_lock_type_t *, const char **);
static int (*enumerate_atomic_type)(uint32_t, uint32_t *, const char **);

static void count(int event);

static struct slot *record(int event) {
    static struct slot lost;
    static __thread long thread;
    if (is_over) {
        static const char text[] = "an event after runtime_shutdown\n";
        if (write(2, text, sizeof text - 1) < 0)
            abort();
        _exit(99);
    }
    unsigned number = atomic_fetch_add(&used, 1);
    if (number >= SLOTS)
        return &lost;
    if (!thread)
        thread = syscall(SYS_gettid);
    struct slot *slot = &slots[number];
    count(event);
    slot->event = event;
    slot->thread = thread;
    slot->thread_id = get_thread_id();
    slot->state = get_state(&slot->wait);
    for (int level = 0; level < CONTEXT_LEVELS; level++) {
        struct level *now = &slot->levels[level];
        ompt_frame_t *frame = NULL;
        now->queried_parallel = get_parallel_id(level);
        now->size = get_parallel_team_size(level);
        now->is_there =
            (int)get_task_info(level, &now->type, &now->task, &frame, &now->parallel);
        if (frame) {
            now->exit = frame->exit_runtime_frame;
            now->reenter = frame->reenter_runtime_frame;
        }
    }
    return slot;
}

/* For programs in which threads must wait for each other: how many waits for mutexes have been told
 * of, and how many threads idle. */
static atomic_uint waits;
static atomic_int idle;
unsigned recorded_waits(void) { return waits; }
int recorded_idle(void) { return idle; }

static void count(int event) {
    if (event >= ompt_event_wait_lock && event <= ompt_event_wait_ordered)
        waits++;
    if (event == ompt_event_idle_begin || event == ompt_event_idle_end)
        idle += event == ompt_event_idle_begin ? 1 : -1;
}

static void put_frame(struct slot *slot, const ompt_frame_t *frame) {
    slot->exit = frame ? frame->exit_runtime_frame : NULL;
    slot->reenter = frame ? frame->reenter_runtime_frame : NULL;
}

#define STORE(...)                                                                                 \
    uint64_t values[] = {__VA_ARGS__};                                                             \
    memcpy(slot->arguments, values, sizeof values)
#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

/* One function per kind of signature and event, from the tables of signatures.h. */
#define THREAD(number, name)                                                                       \
    static void on_##name(ompt_thread_id_t id) {                                                   \
        struct slot *slot = record(number);                                                        \
        STORE(id);                                                                                 \
    }
#define THREAD_TYPE(number, name)                                                                  \
    static void on_##name(ompt_thread_type_t type, ompt_thread_id_t id) {                          \
        struct slot *slot = record(number);                                                        \
        STORE(type, id);                                                                           \
    }
#define WAIT(number, name)                                                                         \
    static void on_##name(ompt_wait_id_t wait) {                                                   \
        struct slot *slot = record(number);                                                        \
        STORE(wait);                                                                               \
    }
#define ATOMIC(number, name)                                                                       \
    static void on_##name(ompt_wait_id_t wait, uint32_t type) {                                    \
        struct slot *slot = record(number);                                                        \
        STORE(wait, type);                                                                         \
    }
#define LOCK(number, name)                                                                         \
    static void on_##name(ompt_wait_id_t wait, ompt_lock_hint_t hint, ompt_lock_type_t type) {     \
        struct slot *slot = record(number);                                                        \
        STORE(wait, hint, type);                                                                   \
    }
#define SYNC(number, name)                                                                         \
    static void on_##name(ompt_parallel_id_t parallel, ompt_task_id_t task, const void *codeptr) { \
        struct slot *slot = record(number);                                                        \
        STORE(parallel, task, WORD(codeptr));                                                      \
    }
#define WORKSHARE_BEGIN SYNC
#define PARALLEL(number, name)                                                                     \
    static void on_##name(ompt_parallel_id_t parallel, ompt_task_id_t task) {                      \
        struct slot *slot = record(number);                                                        \
        STORE(parallel, task);                                                                     \
    }
#define PARALLEL_BEGIN(number, name)                                                               \
    static void on_##name(ompt_task_id_t parent, const ompt_frame_t *frame,                        \
                          ompt_parallel_id_t parallel, uint32_t requested, const void *function,   \
                          ompt_invoker_t invoker) {                                                \
        struct slot *slot = record(number);                                                        \
        STORE(parent, WORD(frame), parallel, requested, WORD(function), invoker);                  \
        put_frame(slot, frame);                                                                    \
    }
#define PARALLEL_END(number, name)                                                                 \
    static void on_##name(ompt_parallel_id_t parallel, ompt_task_id_t task,                        \
                          ompt_invoker_t invoker) {                                                \
        struct slot *slot = record(number);                                                        \
        STORE(parallel, task, invoker);                                                            \
    }
#define TASK(number, name)                                                                         \
    static void on_##name(ompt_task_id_t task) {                                                   \
        struct slot *slot = record(number);                                                        \
        STORE(task);                                                                               \
    }
#define TASK_BEGIN(number, name)                                                                   \
    static void on_##name(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t task,   \
                          const void *function) {                                                  \
        struct slot *slot = record(number);                                                        \
        STORE(parent, WORD(frame), task, WORD(function));                                          \
        put_frame(slot, frame);                                                                    \
    }
#define TARGET_BEGIN(number, name)                                                                 \
    static void on_##name(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t task,   \
                          int device, void *code, ompt_target_task_type_t type) {                  \
        struct slot *slot = record(number);                                                        \
        STORE(parent, WORD(frame), task, (uint64_t)(int64_t)device, WORD(code), type);             \
        put_frame(slot, frame);                                                                    \
    }
#define TARGET_END TASK
#define DATA_BEGIN(number, name)                                                                   \
    static void on_##name(ompt_task_id_t task, int device, const void *codeptr) {                  \
        struct slot *slot = record(number);                                                        \
        STORE(task, (uint64_t)(int64_t)device, WORD(codeptr));                                     \
    }
#define MAP_BEGIN(number, name)                                                                    \
    static void on_##name(ompt_task_id_t task, int device, const ompt_target_map_entry_t *items,   \
                          uint32_t count, ompt_target_activity_id_t map) {                         \
        struct slot *slot = record(number);                                                        \
        STORE(task, (uint64_t)(int64_t)device, count, map);                                        \
        for (uint32_t i = 0; i < count && i < PAIRS; i++)                                          \
            slot->pair[slot->pairs++] =                                                            \
                (struct pair){WORD(items[i].host_addr), items[i].mapping_flags};                   \
    }
#define MAP_END(number, name)                                                                      \
    static void on_##name(int device, ompt_target_activity_id_t map) {                             \
        struct slot *slot = record(number);                                                        \
        STORE((uint64_t)(int64_t)device, map);                                                     \
    }
#define DEPENDENCES(number, name)                                                                  \
    static void on_##name(ompt_task_id_t task, const ompt_task_dependence_t *list, int count) {    \
        struct slot *slot = record(number);                                                        \
        STORE(task, (uint64_t)(int64_t)count);                                                     \
        for (int i = 0; i < count && i < PAIRS; i++)                                               \
            slot->pair[slot->pairs++] =                                                            \
                (struct pair){WORD(list[i].variable_addr), list[i].dependence_flags};              \
    }
#define TASK_PAIR(number, name)                                                                    \
    static void on_##name(ompt_task_id_t first, ompt_task_id_t second) {                           \
        struct slot *slot = record(number);                                                        \
        STORE(first, second);                                                                      \
    }
#define CONTROL(number, name)                                                                      \
    static void on_##name(uint64_t command, uint64_t modifier) {                                   \
        struct slot *slot = record(number);                                                        \
        STORE(command, modifier);                                                                  \
    }
#define NOTHING(number, name) static void on_##name(void);
ALL_EVENTS(EACH_BY_KIND)

/* The arguments of each kind: for each a key and a letter (see `put_value`). */
static const struct kind {
    const char *keys[8];
    const char *letters;
} kinds[] = {ALL_KINDS(EACH_KIND)};

static const struct {
    const char *name;
    ompt_callback_t callback;
    enum kind_number kind;
} events[72] = {ALL_EVENTS(EACH_EVENT)};

/* ---- The file ---- */

static FILE *out;
static uint64_t known[256][SLOTS / 8];
static unsigned known_count[256];

/* The small number of an identifier of the kind that the letter tells. */
static unsigned small(char letter, uint64_t id) {
    uint64_t *list = known[(unsigned char)letter];
    unsigned *count = &known_count[(unsigned char)letter];
    for (unsigned i = *count; i > 0; i--)
        if (list[i - 1] == id)
            return i;
    if (*count == SLOTS / 8)
        abort();
    list[*count] = id;
    return ++*count;
}

static void put_id(char letter, uint64_t id) {
    if (id)
        fprintf(out, "%c%u", letter, small(letter, id));
    else
        fputs("zero", out);
}

static void put_address(uint64_t address) {
    Dl_info info;
    if (!address)
        fputs("null", out);
    else if (!dladdr((void *)(uintptr_t)address, &info) || !info.dli_fname)
        fputs("nowhere", out);
    else {
        const char *slash = strrchr(info.dli_fname, '/');
        fprintf(out, "%s+0x%llx", slash ? slash + 1 : info.dli_fname,
                (unsigned long long)(address - WORD(info.dli_fbase)));
    }
}

/* Text without blanks. */
static void put_word(const char *text) {
    for (const char *c = text; *c; c++)
        fputc(*c == ' ' ? '_' : *c, out);
}

static const char *named(const char *const *names, unsigned count, uint64_t value) {
    return value < count && names[value] ? names[value] : "bad";
}

/* The name of a lock's or an atomic's type, as it is enumerated. */
static void put_lock_type(uint64_t wanted) {
    ompt_lock_type_t type = ompt_lock_type_first;
    const char *name;
    while (enumerate_lock_type(type, &type, &name))
        if (type == wanted) {
            put_word(name);
            return;
        }
    fputs("bad", out);
}

static void put_atomic_type(uint64_t wanted) {
    uint32_t type = ompt_atomic_type_first;
    const char *name;
    while (enumerate_atomic_type(type, &type, &name))
        if (type == wanted) {
            put_word(name);
            return;
        }
    fputs("bad", out);
}

static const char *state_name(ompt_state_t state) {
    switch ((int)state) {
#define STATE(name)                                                                                \
    case ompt_state_##name:                                                                        \
        return #name;
        ALL_STATES(STATE)
    }
    return "bad";
}

static void put_value(const struct slot *slot, char letter, uint64_t value) {
    static const char *const invokers[] = {"program", "runtime"};
    static const char *const threads[] = {NULL, "initial", "worker", "other"};
    static const char *const targets[] = {NULL, "target", "enter_data", "exit_data", "update"};
    switch (letter) {
    case 'p': case 't': case 'i': case 'w': case 'm':
        put_id(letter, value);
        break;
    case 'c': /* an address in code */
        put_address(value);
        break;
    case 'L':
        put_lock_type(value);
        break;
    case 'A':
        put_atomic_type(value);
        break;
    case 'f': /* a frame */
        fprintf(out, "%s exit=%s reenter=%s", value ? "set" : "null", slot->exit ? "set" : "null",
                slot->reenter ? "set" : "null");
        break;
    case 'I':
        fputs(named(invokers, 2, value), out);
        break;
    case 'T':
        fputs(named(threads, 4, value), out);
        break;
    case 'G':
        fputs(named(targets, 5, value), out);
        break;
    default:
        fprintf(out, "%lld", (long long)value);
    }
}

static void put_level(int number, const struct level *level) {
    static const char *const types[] = {NULL,       "serial", "implicit",
                                        "explicit", "target", "degenerate"};
    fprintf(out, "+ level number=%d there=%d", number, level->is_there);
    fputs(" parallel=", out);
    put_id('p', level->queried_parallel);
    fprintf(out, " size=%d", level->size);
    if (level->is_there) {
        fputs(" task=", out);
        put_id('t', level->task);
        fputs(" region=", out);
        put_id('p', level->parallel);
        fprintf(out, " type=%s exit=%s reenter=%s", named(types, 6, level->type),
                level->exit ? "set" : "null", level->reenter ? "set" : "null");
    }
    fputc('\n', out);
}

static void put_slot(unsigned number, const struct slot *slot) {
    const struct kind *kind = &kinds[events[slot->event].kind];
    fprintf(out, "%u thread=%u %s", number, small('#', (uint64_t)slot->thread) - 1,
            events[slot->event].name);
    for (int i = 0; kind->keys[i]; i++) {
        fprintf(out, " %s=", kind->keys[i]);
        put_value(slot, kind->letters[i], slot->arguments[i]);
    }
    fprintf(out, " state=%s wait=", state_name(slot->state));
    put_id('w', slot->wait);
    fputs("\n+ thread id=", out);
    put_id('i', slot->thread_id);
    fputc('\n', out);
    for (int level = 0; level < CONTEXT_LEVELS; level++)
        put_level(level, &slot->levels[level]);
    static const char *const dependences[] = {NULL, "out", "in", "inout"};
    static const char *const maps[] = {"none",  "to",      "from",   "tofrom",
                                       "alloc", "release", "delete", "unused"};
    for (uint32_t i = 0; i < slot->pairs; i++) {
        const struct pair *pair = &slot->pair[i];
        fprintf(out, "+ item var=d%u", small('d', pair->address));
        if (slot->event == ompt_event_task_dependences)
            fprintf(out, " type=%s\n", named(dependences, 4, pair->flags));
        else
            fprintf(out, " type=%s sync=%u\n", maps[pair->flags & 7], pair->flags >> 3);
    }
}

static void put_head(void) {
    fprintf(out, "# tool of the 2015 report\n# interface %u\n# runtime ", interface);
    put_word(version);
    fputc('\n', out);
    for (int i = 0; i < answer_count; i++) {
        int number = answer_names[i];
        if (events[number].name)
            fprintf(out, "# set_callback %s %d\n", events[number].name, answers[i]);
        else
            fprintf(out, "# set_callback %d %d\n", number, answers[i]);
    }
    for (int event = 1; event < 72; event++)
        if (events[event].name && gets[event] != 1)
            fprintf(out, "# get_callback %s %d\n", events[event].name, gets[event]);
}

static void on_runtime_shutdown(void) {
    record(ompt_event_runtime_shutdown);
    is_over = 1;
    const char *path = getenv("OXOMP_RECORD");
    out = fopen(path ? path : "/dev/stderr", "w");
    if (!out)
        abort();
    put_head();
    unsigned count = used < SLOTS ? used : SLOTS;
    for (unsigned i = 0; i < count; i++)
        put_slot(i, &slots[i]);
    fprintf(out, "# end events=%u dropped=%u\n", count, used - count);
    if (fclose(out))
        abort();
}

/* ---- Activation ---- */

static void set(int number, ompt_callback_t callback) {
    answer_names[answer_count] = number;
    answers[answer_count++] = set_callback((ompt_event_t)number, callback);
    ompt_callback_t found = NULL;
    gets[number] = get_callback((ompt_event_t)number, &found);
    if (gets[number] && found != callback)
        gets[number] = -1;
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned number) {
    version = runtime;
    interface = number;
#define LOOK_UP(name)                                                                              \
    if (!(name = (__typeof__(name))lookup("ompt_" #name)))                                         \
        abort();
    LOOK_UP(set_callback)
    LOOK_UP(get_callback)
    LOOK_UP(get_thread_id)
    LOOK_UP(get_state)
    LOOK_UP(get_parallel_id)
    LOOK_UP(get_parallel_team_size)
    LOOK_UP(get_task_info)
    LOOK_UP(enumerate_lock_type)
    LOOK_UP(enumerate_atomic_type)
    for (int event = 0; event < 72; event++)
        if (events[event].name || event == 0 || event == 64 || event == 71)
            set(event, events[event].name ? events[event].callback
                                          : (ompt_callback_t)on_runtime_shutdown);
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }
