/* A native thread that samples another one by signals: the entry points, called in the handler,
 * must answer what the sampled thread has foretold by `expect`.
 *
 * The file that includes this one has the answers of one interface: before, `struct answer`, which
 * `ask` fills; after, the three functions declared here. */
#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

enum { SAMPLES = 20 };

/* How many of the answers `told` are not those of `asked`, each of which it prints. */
static int differs(void);
/* The answers of a thread are those of `answer`, but it waits in `state`. */
static void foretell(struct answer *answer, int state);
/* Whether the calling thread is the one of the new region that is asked, number `me`. */
static int in_region(int me);

/* The thread that is asked, and what it should answer. */
static struct {
    pid_t tid;
    const char *what;
    struct answer answer;
    /* The states in which it may be on its way. */
    int before[2];
} asked;

static struct answer told;
static atomic_int answered, armed, checked, failures;

static void on_signal(int number) {
    (void)number;
    ask(&told);
    atomic_fetch_add(&answered, 1);
}

static void sample(void) {
    int before = atomic_load(&answered);
    if (tgkill(getpid(), asked.tid, SIGUSR1) != 0) {
        printf("%s: the thread is gone\n", asked.what);
        exit(1);
    }
    while (atomic_load(&answered) == before)
        sched_yield();
}

static int line_of(const char *what, unsigned long long got, unsigned long long wanted) {
    if (got != wanted)
        printf("%s: %s is %#llx, not %#llx\n", asked.what, what, got, wanted);
    return got != wanted;
}

/* The sampler: finds the thread in the state in the end, and from then on always, with the same
 * answers. */
static void *sampler(void *unused) {
    for (;;) {
        while (!atomic_load(&armed))
            sched_yield();
        if (atomic_load(&armed) < 0)
            return unused;
        long looks = 0;
        do {
            sample();
            if (told.state == asked.answer.state)
                break;
            if (told.state != asked.before[0] && told.state != asked.before[1])
                line_of("state on the way", (unsigned)told.state, (unsigned)asked.answer.state);
            usleep(100);
        } while (++looks < 200000);
        /* A state that it had on the way, too, counts once the thread has come to rest. */
        int lines = 0;
        if (asked.answer.state == ompt_state_work_parallel)
            usleep(1000);
        for (int n = 0; n < SAMPLES && !lines; n++) {
            sample();
            lines = differs();
        }
        atomic_fetch_add(&failures, lines);
        atomic_store(&armed, 0);
        atomic_fetch_add(&checked, 1);
    }
}

/* The calling thread is about to wait in `state`. */
static void expect(const char *what, int state, ompt_wait_id_t wait_id) {
    while (atomic_load(&armed))
        sched_yield();
    memset(&asked, 0, sizeof asked);
    asked.tid = gettid();
    asked.what = what;
    ask(&asked.answer);
    asked.before[0] = asked.answer.state;
    asked.before[1] = ompt_state_overhead;
    asked.answer.wait_id = wait_id;
    foretell(&asked.answer, state);
    atomic_store(&armed, 1);
}

/* Returns when `count` threads in all have been asked. */
static void hold_until(int count) {
    while (atomic_load(&checked) < count)
        sched_yield();
}

static int asked_so_far;
/* Holds the other thread until it has been asked. */
static void hold(void) {
    hold_until(asked_so_far + 1);
}

static void here(const char *what, int state) {
    int now = get_state(NULL);
    if (now != state && atomic_fetch_add(&failures, 1) >= 0)
        printf("after %s: state is %#x, not %#x\n", what, (unsigned)now, (unsigned)state);
}
#define AT_WORK(what) here(what, ompt_state_work_parallel)

static atomic_int flag;
static void raise_flag(void) {
    atomic_store(&flag, 1);
}
static void raise_flag_and_hold(void) {
    raise_flag();
    hold();
}
static void wait_for_flag(void) {
    while (!atomic_load(&flag))
        sched_yield();
}

/* Each construct is in a region of two threads, of which `me` is asked and the other one holds it.
 */
static void next_construct(void) {
    asked_so_far = atomic_load(&checked);
    atomic_store(&flag, 0);
}
