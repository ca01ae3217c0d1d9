/* A user's OMPT tool: at the end it says how many parallel regions there were, and whether the word
 * that it stored for each at its begin was there at its end. */
#include <stdint.h>
#include <stdio.h>

typedef union {
    uint64_t value;
    void *ptr;
} data_t;

typedef void (*function_t)(void);

typedef struct {
    int (*initialize)(function_t (*lookup)(const char *), int device, data_t *data);
    void (*finalize)(data_t *data);
    data_t data;
} result_t;

static uint64_t begun, ended, strange;

static void parallel_begin(data_t *task, const void *frame, data_t *region, unsigned requested,
                           int flags, const void *code) {
    (void)task, (void)frame, (void)requested, (void)flags, (void)code;
    strange += region->value != 0;
    region->value = ++begun;
}

static void parallel_end(data_t *region, data_t *task, int flags, const void *code) {
    (void)task, (void)flags, (void)code;
    strange += region->value != ++ended;
}

static int initialize(function_t (*lookup)(const char *), int device, data_t *data) {
    (void)device, (void)data;
    int (*set_callback)(int, function_t) = (int (*)(int, function_t))lookup("ompt_set_callback");
    set_callback(3, (function_t)parallel_begin);
    set_callback(4, (function_t)parallel_end);
    return 1;
}

static void finalize(data_t *data) {
    (void)data;
    fprintf(stderr, "their tool: %s, %d strange words\n", ended > 19 ? "regions" : "no regions",
            (int)strange);
}

result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
#ifdef DECLINES
    return 0;
#endif
    return &result;
}
