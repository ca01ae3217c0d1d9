/* Appendix B of the report: a tool that only samples. It registers the two events of threads, gives
 * each thread a timer of 1 kHz, and walks the stack in the handler, by frame pointers. The frames
 * of the chain of tasks tell the user's frames from the runtime's: from the innermost on, those
 * before the exit frame of the current task are the user's, those before the reenter frame of the
 * next task are the runtime's, and so on.
 *
 * A program says by `sample_counter` when its samples count, and by `sample_texts` what they must
 * be (`sampling.h`). */
#define _GNU_SOURCE
#include "sampling.h"
#include <dlfcn.h>
#include <errno.h>
#include <ompt.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 64, RECORDS = 8 };

/* What the handler finds: names are looked up later, since that is not async-signal-safe. */
struct sample {
    int records, frames;
    ompt_frame_t record[RECORDS];
    ompt_task_id_t task[RECORDS];
    void *pc[FRAMES];
    int is_runtime[FRAMES];
};

static __thread struct thread {
    atomic_int counter, wanted;
    struct sample samples[SAMPLES];
    timer_t timer;
    uintptr_t stack_end;
} *self;

static ompt_get_task_info_t get_task_info;
static ompt_get_state_t get_state;
static atomic_long all_samples;

/* The frames beyond `fp`, in whose function `pc` is. */
static void walk(struct sample *sample, uintptr_t pc, uintptr_t fp) {
    int level = 0;
    int is_runtime = sample->records > 0 && sample->record[0].reenter_runtime_frame != NULL;
    while (sample->frames < FRAMES) {
        if (level < sample->records) {
            const ompt_frame_t *record = &sample->record[level];
            if (is_runtime && fp == (uintptr_t)record->reenter_runtime_frame)
                is_runtime = 0;
            if (!is_runtime && record->exit_runtime_frame &&
                fp == (uintptr_t)record->exit_runtime_frame) {
                is_runtime = 1;
                level++;
            }
        }
        sample->pc[sample->frames] = (void *)pc;
        sample->is_runtime[sample->frames++] = is_runtime;
        const uintptr_t *frame = (const uintptr_t *)fp;
        if (fp % sizeof fp != 0 || fp + 2 * sizeof fp > self->stack_end || frame[0] <= fp)
            break;
        pc = frame[1];
        fp = frame[0];
    }
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    int saved = errno;
    atomic_fetch_add(&all_samples, 1);
    int n = self ? atomic_load(&self->counter) : -1;
    if (n >= 0 && n < SAMPLES && (int)get_state(NULL) == atomic_load(&self->wanted)) {
        const ucontext_t *machine = context;
        struct sample *sample = &self->samples[n];
        memset(sample, 0, sizeof *sample);
        ompt_frame_t *frame;
        while (sample->records < RECORDS &&
               get_task_info(sample->records, NULL, &sample->task[sample->records], &frame, NULL))
            sample->record[sample->records++] = *frame;
        walk(sample, (uintptr_t)machine->uc_mcontext.gregs[REG_RIP],
             (uintptr_t)machine->uc_mcontext.gregs[REG_RBP]);
        atomic_store(&self->counter, n + 1);
    }
    errno = saved;
}

static void thread_begin(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type, (void)id;
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    struct thread *thread = calloc(1, sizeof *thread);
    if (!thread || pthread_getattr_np(pthread_self(), &attributes) != 0)
        abort();
    pthread_attr_getstack(&attributes, &stack, &size);
    pthread_attr_destroy(&attributes);
    thread->stack_end = (uintptr_t)stack + size;
    atomic_store(&thread->counter, -1);
    self = thread;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    event._sigev_un._tid = gettid();
    struct itimerspec period = {{0, 1000000}, {0, 1000000}};
    if (timer_create(CLOCK_MONOTONIC, &event, &thread->timer) != 0 ||
        timer_settime(thread->timer, 0, &period, NULL) != 0)
        abort();
}

static void thread_end(ompt_thread_type_t type, ompt_thread_id_t id) {
    (void)type, (void)id;
    struct thread *thread = self;
    timer_delete(thread->timer);
    self = NULL;
    free(thread);
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned ompt_version) {
    (void)runtime_version, (void)ompt_version;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    set(ompt_event_thread_begin, (ompt_callback_t)thread_begin);
    set(ompt_event_thread_end, (ompt_callback_t)thread_end);
}

ompt_initialize_fn_t ompt_tool(void) {
    return initialize;
}

atomic_int *sample_counter(int state) {
    atomic_store(&self->wanted, state);
    return &self->counter;
}

/* Appends a word, unless it is a run of the same. */
static void add(char *text, size_t size, const char *word) {
    size_t length = strlen(text), of_word = strlen(word);
    if (length > of_word && strcmp(text + length - of_word, word) == 0 &&
        text[length - of_word - 1] == ' ')
        return;
    snprintf(text + length, size - length, " %s", word);
}

/* As a line: each record's fields; then each frame: a user function by its name, one that the
 * compiler made as `outlined`, the runtime's as `par`. The program's `last` function is the last.
 */
static void describe(const struct sample *sample, const char *last, char *text, size_t size) {
    Dl_info program, info;
    dladdr(dlsym(RTLD_DEFAULT, last), &program);
    *text = '\0';
    for (int n = 0; n < sample->records; n++) {
        const ompt_frame_t *record = &sample->record[n];
        char word[] = {record->exit_runtime_frame ? 'x' : '-',
                       record->reenter_runtime_frame ? 'r' : '-', '\0'};
        snprintf(text + strlen(text), size - strlen(text), "%s%s", n ? " " : "", word);
    }
    strcat(text, ":");
    for (int n = 0; n < sample->frames; n++) {
        memset(&info, 0, sizeof info);
        int is_known = dladdr(sample->pc[n], &info) != 0;
        int is_program = is_known && info.dli_fbase == program.dli_fbase;
        if (sample->is_runtime[n]) {
            /* A frame that is the program's is none of the runtime's. */
            add(text, size, is_program ? "WRONG" : "par");
        } else if (!is_program) {
            add(text, size, "FOREIGN");
        } else {
            add(text, size, info.dli_sname ? info.dli_sname : "outlined");
            if (info.dli_sname && strcmp(info.dli_sname, last) == 0)
                return;
        }
    }
}

int sample_texts(const char *last, const char *expected, unsigned long long *tasks) {
    int equal = 0;
    atomic_store(&self->counter, -1);
    for (int n = 0; n < SAMPLES; n++) {
        const struct sample *sample = &self->samples[n];
        char text[1024];
        describe(sample, last, text, sizeof text);
        if (strcmp(text, expected) == 0)
            equal++;
        else
            printf("%s\nnot %s\n", text, expected);
        for (int level = 0; level < 3; level++)
            tasks[level] = sample->task[level];
    }
    return equal;
}

long sample_total(void) {
    return atomic_load(&all_samples);
}
