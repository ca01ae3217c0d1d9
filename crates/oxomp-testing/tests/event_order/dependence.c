/* A program with a tool: while the tool is told of a dependence, the other thread ends the
 * predecessor, in either way. The tool hears of the completion afterwards. */
static void print(void);
#define END print()
#include "../entry_points/tool.h"

enum { ROUNDS = 10 };

struct task {
    ompt_data_t *word;
    atomic_int is_complete;
};

static atomic_int may_end, is_detached, dependences, late, misplaced;

static void task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *word,
                        int flags, int has_dependences, const void *codeptr) {
    (void)encountering, (void)frame, (void)flags, (void)has_dependences, (void)codeptr;
    struct task *task = calloc(1, sizeof *task);
    task->word = word;
    word->ptr = task;
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    (void)next;
    struct task *task = prior->ptr;
    if (task && (status == ompt_task_complete || status == ompt_task_late_fulfill))
        atomic_store(&task->is_complete, 1);
    if (status == ompt_task_detach)
        atomic_store(&is_detached, 1);
}

static void task_dependence(ompt_data_t *source, ompt_data_t *sink) {
    (void)sink;
    struct task *task = source->ptr;
    atomic_store(&may_end, 1);
    for (int n = 0; n < 30 && !atomic_load(&task->is_complete); n++)
        usleep(1000);
    atomic_fetch_add(&dependences, 1);
    if (atomic_load(&task->is_complete))
        atomic_fetch_add(&late, 1);
    if (task->word != source)
        atomic_fetch_add(&misplaced, 1);
}

static void start(ompt_set_callback_t set) {
    SET(task_create);
    SET(task_schedule);
    SET(task_dependence);
}

static void print(void) {
    printf("dependences=%d late=%d misplaced=%d\n", dependences, late, misplaced);
}

static void await(atomic_int *flag) {
    while (!atomic_load(flag))
        sched_yield();
}

/* The predecessor ends with its body. */
static void body_ends(void) {
    int x = 0;
    atomic_int has_begun = 0;
#pragma omp task depend(out : x) shared(x, has_begun)
    {
        atomic_store(&has_begun, 1);
        await(&may_end);
    }
    await(&has_begun);
#pragma omp task depend(in : x) shared(x)
    x++;
#pragma omp taskwait
}

/* The predecessor ends when its event is fulfilled. */
static void event_is_fulfilled(void) {
    int x = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task depend(out : x) shared(x) detach(event)
    x++;
    await(&is_detached);
    atomic_int has_begun = 0;
#pragma omp task shared(has_begun) firstprivate(event)
    {
        atomic_store(&has_begun, 1);
        await(&may_end);
        omp_fulfill_event(event);
    }
    await(&has_begun);
#pragma omp task depend(in : x) shared(x)
    x++;
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int n = 0; n < ROUNDS; n++) {
        atomic_store(&may_end, 0);
        body_ends();
        atomic_store(&may_end, 0);
        atomic_store(&is_detached, 0);
        event_is_fulfilled();
    }
    return 0;
}
