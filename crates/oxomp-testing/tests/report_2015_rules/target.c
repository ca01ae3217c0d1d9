/* Target constructs that the host executes, with a tool of the 2015 report inside: what the
 * callbacks of target tasks and target data regions are told, when, and in whose context (sections
 * 3.1, 3.2.2), and the device that the entry point names (5.7). */
#include <omp.h>
#include <ompt.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST = 16 };

static ompt_get_task_info_t get_task_info;
static ompt_target_get_device_id_t target_get_device_id;
static int wrong;

#define EXPECT(holds)                                                                              \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            wrong++;                                                                               \
            printf("line %d: " #holds "\n", __LINE__);                                             \
        }                                                                                          \
    } while (0)

/* The target tasks in the order of their begins, and how many have ended. */
static ompt_task_id_t begun[MOST], ended[MOST];
static ompt_target_task_type_t types[MOST];
static const void *functions[MOST];
static int begins, ends;
/* What the program is at: how many target regions it has executed; the ends of the data regions. */
static int regions, data_begins, data_ends;
static const void *data_codeptr;

static ompt_task_id_t current(ompt_frame_t **frame) {
    ompt_task_id_t task = 0;
    EXPECT(get_task_info(0, NULL, &task, frame, NULL) == 1);
    return task;
}

static void target_task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t task,
                              int device_id, void *function, ompt_target_task_type_t type) {
    ompt_frame_t *of_current = NULL;
    EXPECT(parent != 0 && parent == current(&of_current));
    EXPECT(frame == of_current);
    EXPECT(frame->reenter_runtime_frame != NULL);
    EXPECT(device_id == omp_get_initial_device());
    EXPECT(task != 0 && task != parent);
    for (int n = 0; n < begins; n++)
        EXPECT(begun[n] != task);
    if (begins == MOST)
        return;
    begun[begins] = task;
    types[begins] = type;
    functions[begins++] = function;
}

/* In the scope of each construct, those that execute no code of the program included. */
static void target_task_end(ompt_task_id_t task) {
    EXPECT(target_get_device_id() == omp_get_initial_device());
    if (ends < MOST)
        ended[ends++] = task;
}

static void target_data_begin(ompt_task_id_t task, int device_id, const void *codeptr) {
    EXPECT(task != 0 && task == current(NULL));
    EXPECT(device_id == omp_get_initial_device());
    data_codeptr = codeptr;
    data_begins++;
}

static void target_data_end(ompt_task_id_t task) {
    EXPECT(task != 0 && task == current(NULL));
    data_ends++;
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned ompt_version) {
    (void)runtime_version;
    (void)ompt_version;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    target_get_device_id = (ompt_target_get_device_id_t)lookup("ompt_target_get_device_id");
#define SET(name, answer)                                                                          \
    EXPECT(set_callback(ompt_event_##name, (ompt_callback_t)name) == (answer))
    SET(target_task_begin, 4);
    SET(target_task_end, 4);
    SET(target_data_begin, 4);
    SET(target_data_end, 4);
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }

/* Whether the calling task is in the target task that began last, which has not ended. */
static int is_in_last(void) {
    ompt_task_id_t task = 0;
    ompt_task_type_t type = 0;
    for (int level = 0; get_task_info(level, &type, &task, NULL, NULL); level++)
        if (type == ompt_task_target)
            return task == begun[begins - 1] && ends == begins - 1;
    return 0;
}

static void in_region(void) {
    regions++;
    EXPECT(begins == regions && is_in_last());
    EXPECT(target_get_device_id() == omp_get_initial_device());
}

/* The last construct was of that kind, and its task is over. */
static void is_over(int count, ompt_target_task_type_t type) {
    EXPECT(begins == count && ends == count);
    EXPECT(types[count - 1] == type && ended[count - 1] == begun[count - 1]);
    EXPECT((functions[count - 1] != NULL) == (type == ompt_target_task_target));
    EXPECT(target_get_device_id() == -1);
}

__attribute__((noinline)) static void data(int *value) {
    (void)value;
#pragma omp target data map(value[0 : 1])
    {
        EXPECT(data_begins == 1 && data_ends == 0);
        EXPECT(target_get_device_id() == omp_get_initial_device());
        EXPECT(begins == ends);
    }
}

int main(void) {
    int value = 0;
    EXPECT(omp_get_num_threads() == 1 && target_get_device_id() == -1);
#pragma omp target map(tofrom : value)
    in_region();
    is_over(1, ompt_target_task_target);
#pragma omp target if (0) map(tofrom : value)
    in_region();
    is_over(2, ompt_target_task_target);
#pragma omp target enter data map(to : value)
    is_over(3, ompt_target_task_enter_data);
#pragma omp target update to(value)
    is_over(4, ompt_target_task_update);
#pragma omp target exit data map(from : value)
    is_over(5, ompt_target_task_exit_data);
    regions = 5;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : value)
        in_region();
#pragma omp taskwait
        is_over(6, ompt_target_task_target);
    }
    data(&value);
    EXPECT(data_begins == 1 && data_ends == 1);
    EXPECT((uintptr_t)data_codeptr > (uintptr_t)data &&
           (uintptr_t)data_codeptr < (uintptr_t)data + 4096);
    EXPECT(target_get_device_id() == -1 && begins == 6);
    printf("begins=%d ends=%d wrong=%d\n", begins, ends, wrong);
    return 0;
}
