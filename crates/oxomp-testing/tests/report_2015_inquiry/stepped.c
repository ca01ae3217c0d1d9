/* Chapter 2 of the report, instruction by instruction: a thread executes constructs in single
 * steps, after each of which a signal handler calls the inquiry functions. So no instant is missed:
 * a wait id is there before the state of its wait, ids and frames come and go once, in order.
 *
 * The processor's trap flag makes the steps: on x86-64 only. With EVENTS in the environment the
 * tool registers the events on the way. */
#define _GNU_SOURCE
#include "../entry_points/expect.h"
#include "tool.h"
#include <signal.h>
#include <ucontext.h>

enum { TRAP_FLAG = 0x100, STATES = 0x82, MOST = 64 };

/* What the handler has seen of one construct. */
static struct {
    long steps, in_state[STATES];
    ompt_wait_id_t wait_id;
    /* The regions and tasks that were current, one after the other. */
    int regions, tasks;
    ompt_parallel_id_t region[MOST];
    ompt_task_id_t task[MOST];
    void *exit[MOST];
    int lines, is_worker;
} seen;

static unsigned char is_state[STATES];
static atomic_int is_stepping, waits_now, idles_now;

static void wrong_at(int line, uint64_t value) {
    if (seen.lines++ < 3)
        printf("line %d: %#llx\n", line, (unsigned long long)value);
    wrong++;
}
#define CHECK(condition, value) ((condition) ? (void)0 : wrong_at(__LINE__, (uint64_t)(value)))

static int is_mutex(int state) {
    return state >= ompt_state_wait_lock && state <= ompt_state_wait_ordered;
}

/* In order, from `last` on. */
static void check_frames(uintptr_t last) {
    for (int level = 0;; level++) {
        ompt_frame_t *frame = NULL;
        ompt_task_id_t task = 0;
        if (!get_task_info(level, NULL, &task, &frame, NULL))
            break;
        CHECK(task != 0 && frame, level);
        ompt_frame_t now = *frame;
        if (now.reenter_runtime_frame) {
            CHECK((uintptr_t)now.reenter_runtime_frame >= last, level);
            last = (uintptr_t)now.reenter_runtime_frame;
        }
        if (now.exit_runtime_frame) {
            CHECK((uintptr_t)now.exit_runtime_frame >= last, level);
            last = (uintptr_t)now.exit_runtime_frame;
        }
        /* A worker's other tasks are on another thread's stack. */
        if (seen.is_worker)
            break;
    }
}

/* NULL, and then one address. A task that is current again is another entry here. */
static void exit_is_set_once(int n) {
    ompt_frame_t *frame = get_task_frame(0);
    if (!frame || !frame->exit_runtime_frame)
        return;
    CHECK(!seen.exit[n] || seen.exit[n] == frame->exit_runtime_frame, n);
    seen.exit[n] = frame->exit_runtime_frame;
}

extern const char __executable_start[], etext[];
static int is_user_code(const ucontext_t *machine) {
    uintptr_t pc = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
    return pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext;
}

static void on_step(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    ucontext_t *machine = context;
    if (!atomic_load(&is_stepping)) {
        machine->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
        return;
    }
    ompt_wait_id_t wait_id, wait_id_after;
    ompt_parallel_id_t region;
    ompt_task_id_t task;
    int state, size;
    /* The thread stands, but another one may end the region of a worker at this moment. */
    do {
        wait_id = wait_id_after = 99;
        state = (int)get_state(&wait_id);
        region = get_parallel_id(0);
        task = get_task_id(0);
        size = get_parallel_team_size(0);
    } while ((int)get_state(&wait_id_after) != state || wait_id_after != wait_id ||
             get_parallel_id(0) != region || get_task_id(0) != task);
    seen.steps++;
    CHECK(state >= 0 && state < STATES && is_state[state], state);
    if (state >= 0 && state < STATES)
        seen.in_state[state]++;
    if (is_mutex(state)) {
        CHECK(wait_id != 0 && (seen.wait_id == 0 || wait_id == seen.wait_id), wait_id);
        seen.wait_id = wait_id;
        atomic_store(&waits_now, 1);
    } else {
        CHECK(wait_id == 0, wait_id);
    }
    if (state == ompt_state_idle) {
        CHECK(region == 0 && task == 0, region);
        atomic_store(&idles_now, 1);
    }
    CHECK((region != 0) == (size > 0), region);
    CHECK(state != ompt_state_work_serial || region == 0, region);
    if ((seen.regions == 0 || seen.region[seen.regions - 1] != region) && seen.regions < MOST)
        seen.region[seen.regions++] = region;
    if (task == 0)
        CHECK(state == ompt_state_idle || (state == ompt_state_overhead && !is_user_code(machine)),
              state);
    else if ((seen.tasks == 0 || seen.task[seen.tasks - 1] != task) && seen.tasks < MOST)
        seen.task[seen.tasks++] = task;
    if (task != 0)
        exit_is_set_once(seen.tasks - 1);
    /* On the way into user code and out, the runtime's frame may not be there yet, or no more. */
    check_frames(is_user_code(machine) ? (uintptr_t)machine->uc_mcontext.gregs[REG_RSP] : 0);
}

/* The instructions between the two are stepped. */
static void begin_steps(void) {
    memset(&seen, 0, sizeof seen);
    atomic_store(&is_stepping, 1);
    __asm__ volatile("sub $128, %%rsp; pushfq; orq $0x100, (%%rsp); popfq; add $128, %%rsp" ::
                         : "cc", "memory");
}
static void end_steps(void) {
    atomic_store(&is_stepping, 0);
    __asm__ volatile("nop; nop" ::: "memory");
}

/* Of the state: in it at least one instruction long. */
#define WAS_IN(state) EXPECT(seen.in_state[state] > 0)

static void report(const char *what, int regions, int tasks) {
    EXPECT(seen.steps > 20);
    if (seen.regions != regions || seen.tasks != tasks) {
        printf("%s: %d regions, %d tasks one after the other, not %d, %d\n", what, seen.regions,
               seen.tasks, regions, tasks);
        wrong++;
    }
}

/* A region of one thread, one of two, and one inside of it: each becomes current once, and the one
 * around it is back afterwards. */
static void regions(void) {
    begin_steps();
#pragma omp parallel num_threads(1)
    __asm__ volatile("");
    end_steps();
    report("serialized", 3, 3);
    EXPECT(seen.region[0] == 0 && seen.region[1] != 0 && seen.region[2] == 0);
    EXPECT(seen.task[0] == seen.task[2]);
    WAS_IN(ompt_state_work_serial);
    WAS_IN(ompt_state_work_parallel);
    begin_steps();
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    end_steps();
    report("region", 3, 3);
    EXPECT(seen.region[0] == 0 && seen.region[1] != 0 && seen.region[2] == 0);
    EXPECT(seen.task[0] == seen.task[2]);
    WAS_IN(ompt_state_work_serial);
    WAS_IN(ompt_state_work_parallel);
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
        begin_steps();
#pragma omp parallel num_threads(2)
        __asm__ volatile("");
        end_steps();
        report("nested", 3, 3);
        EXPECT(seen.region[0] == seen.region[2] && seen.region[1] != seen.region[0]);
        EXPECT(seen.region[0] != 0 && seen.region[1] != 0 && seen.task[0] == seen.task[2]);
    }
}

static void tasks(void) {
#pragma omp parallel num_threads(1)
    {
        begin_steps();
#pragma omp task if (0)
        __asm__ volatile("");
        end_steps();
        report("undeferred", 1, 3);
        EXPECT(seen.task[0] == seen.task[2] && seen.task[0] != seen.task[1]);
        begin_steps();
#pragma omp task
        __asm__ volatile("");
#pragma omp taskwait
        end_steps();
        report("taskwait", 1, 3);
        EXPECT(seen.task[0] == seen.task[2] && seen.task[0] != seen.task[1]);
    }
}

/* A worker, from one region through its end and its idle time into the next. */
static void worker(void) {
    ompt_parallel_id_t first = 0, second = 0;
    atomic_store(&idles_now, 0);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        first = get_parallel_id(0);
        begin_steps();
        seen.is_worker = 1;
    }
    while (!atomic_load(&idles_now))
        sched_yield();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        end_steps();
        second = get_parallel_id(0);
    }
    report("worker", 3, 2);
    EXPECT(seen.region[0] == first && seen.region[1] == 0 && seen.region[2] == second);
    EXPECT(first != second && second != 0);
    WAS_IN(ompt_state_idle);
    WAS_IN(ompt_state_work_parallel);
}

/* The other thread is inside until this one waits. */
#define MUTEX(what, state, enter, leave)                                                           \
    do {                                                                                           \
        static atomic_int is_inside;                                                               \
        atomic_store(&waits_now, 0);                                                               \
        atomic_store(&is_inside, 0);                                                               \
        _Pragma("omp parallel num_threads(2)") {                                                   \
            if (omp_get_thread_num() == 1) {                                                       \
                enter;                                                                             \
                atomic_store(&is_inside, 1);                                                       \
                while (!atomic_load(&waits_now))                                                   \
                    sched_yield();                                                                 \
                leave;                                                                             \
            } else {                                                                               \
                while (!atomic_load(&is_inside))                                                   \
                    sched_yield();                                                                 \
                begin_steps();                                                                     \
                enter;                                                                             \
                leave;                                                                             \
                end_steps();                                                                       \
                report(what, 1, 1);                                                                \
                WAS_IN(state);                                                                     \
                WAS_IN(ompt_state_work_parallel);                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);

static void mutexes(void) {
    static omp_lock_t lock;
    static omp_nest_lock_t nest_lock;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    MUTEX("lock", ompt_state_wait_lock, omp_set_lock(&lock), omp_unset_lock(&lock));
    MUTEX("nest lock", ompt_state_wait_nest_lock, omp_set_nest_lock(&nest_lock),
          omp_unset_nest_lock(&nest_lock));
    MUTEX("atomic", ompt_state_wait_atomic, GOMP_atomic_start(), GOMP_atomic_end());
    MUTEX("critical", ompt_state_wait_critical, GOMP_critical_start(), GOMP_critical_end());
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
}

/* Of three iterations the initial thread has the first and the last one, and waits for the other
 * thread's before the last. */
static void ordered(void) {
    static atomic_int is_inside;
    atomic_store(&waits_now, 0);
    atomic_store(&is_inside, 0);
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 3; i++) {
        if (i == 2) {
            while (!atomic_load(&is_inside))
                sched_yield();
            begin_steps();
        }
#pragma omp ordered
        {
            if (i == 1) {
                atomic_store(&is_inside, 1);
                while (!atomic_load(&waits_now))
                    sched_yield();
            } else if (i == 2) {
                end_steps();
            }
        }
        if (i == 2) {
            report("ordered", 1, 1);
            WAS_IN(ompt_state_wait_ordered);
        }
    }
}

/* An atomic operation for which the processor has an instruction is no call of the runtime. */
static void hardware_atomic(void) {
    int value = 0;
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
        begin_steps();
        for (int n = 0; n < 10; n++)
#pragma omp atomic
            value++;
        end_steps();
        report("atomic", 1, 1);
        EXPECT(seen.in_state[ompt_state_work_parallel] == seen.steps);
    }
    EXPECT(value == 10);
}

/* Of any event of two arguments at most. */
static void event(uint64_t first, uint64_t second) {
    (void)first, (void)second;
}

static void start(void) {
    static const ompt_event_t EVENTS[] = {
        ompt_event_idle_begin,          ompt_event_idle_end,
        ompt_event_implicit_task_begin, ompt_event_implicit_task_end,
        ompt_event_wait_barrier_begin,  ompt_event_wait_barrier_end,
        ompt_event_barrier_begin,       ompt_event_barrier_end,
        ompt_event_wait_taskwait_begin, ompt_event_wait_taskwait_end,
        ompt_event_task_end,            ompt_event_task_switch,
        ompt_event_wait_lock,           ompt_event_wait_nest_lock,
        ompt_event_wait_critical,       ompt_event_wait_atomic,
        ompt_event_wait_ordered,        ompt_event_acquired_lock,
        ompt_event_release_lock,
    };
    for (unsigned n = 0; getenv("EVENTS") && n < sizeof EVENTS / sizeof *EVENTS; n++)
        set_callback(EVENTS[n], (ompt_callback_t)event);
    ompt_state_t state = ompt_state_first;
    const char *name;
    while (enumerate_state(state, &state, &name))
        if ((unsigned)state < STATES)
            is_state[(unsigned)state] = 1;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    omp_get_max_threads();
    /* Threads are created, with signals blocked, before any step. */
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    for (int round = 0; round < 2; round++) {
        regions();
        tasks();
        worker();
        mutexes();
        ordered();
        hardware_atomic();
    }
    printf("wrong=%d\n", wrong);
    return 0;
}
