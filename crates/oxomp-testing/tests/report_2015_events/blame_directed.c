/* Directed blame (2015 report, 3.2.1): the time that threads wait for a mutex is charged to the
 * code that holds it. The tool keeps an account for each wait identifier; when a mutex is released,
 * what its account has is charged to the function of the program that releases it.
 *
 * The answers are known: `holder` holds each mutex for 20 ms while three threads wait, which is at
 * least 60 ms, and only the functions that hold a mutex are charged. All time that is charged was
 * waited, and all that was waited is charged, to the nanosecond. */
#include "blame.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <omp.h>

enum { ACCOUNTS = 64, FUNCTIONS = 16, ROUNDS = 3 };

/* One mutex. */
static struct account {
    ompt_wait_id_t id;
    int64_t waiting, since, time;
} accounts[ACCOUNTS];

/* The functions that were charged. */
static struct charge {
    const char *name;
    int64_t time;
} charges[FUNCTIONS];

static int64_t waited, charged, elsewhere;
static atomic_int waiting;
static __thread int64_t wait_begin;

static struct account *account(ompt_wait_id_t id) {
    for (int i = 0; i < ACCOUNTS; i++)
        if (accounts[i].id == id || !accounts[i].id) {
            accounts[i].id = id;
            return &accounts[i];
        }
    abort();
}

/* What the threads that wait have waited since the last time. */
static void settle(struct account *account, int64_t time) {
    account->time += account->waiting * (time - account->since);
    account->since = time;
}

static void on_wait(ompt_wait_id_t id) {
    lock_tool();
    struct account *mine = account(id);
    wait_begin = now();
    settle(mine, wait_begin);
    mine->waiting++;
    unlock_tool();
    waiting++;
}

static void on_acquired(ompt_wait_id_t id) {
    if (!wait_begin)
        return;
    waiting--;
    lock_tool();
    struct account *mine = account(id);
    int64_t time = now();
    settle(mine, time);
    mine->waiting--;
    waited += time - wait_begin;
    wait_begin = 0;
    unlock_tool();
}

/* The innermost function of the program on the stack. */
static const char *releasing_function(void) {
    void *frames[32];
    int count = backtrace(frames, 32);
    Dl_info own, info;
    if (!dladdr((void *)releasing_function, &own))
        abort();
    for (int i = 0; i < count; i++) {
        int is_program = dladdr(frames[i], &info) && info.dli_fbase == own.dli_fbase;
        if (is_program && info.dli_sname && strstr(info.dli_sname, "holder"))
            return info.dli_sname;
    }
    return NULL;
}

static void on_release(ompt_wait_id_t id) {
    const char *name = releasing_function();
    lock_tool();
    struct account *mine = account(id);
    settle(mine, now());
    int64_t time = mine->time;
    mine->time = 0;
    charged += time;
    if (!name)
        elsewhere += time;
    for (int i = 0; name && i < FUNCTIONS; i++)
        if (!charges[i].name || strcmp(charges[i].name, name) == 0) {
            charges[i].name = name;
            charges[i].time += time;
            break;
        }
    unlock_tool();
}

static void on_wait_critical(ompt_wait_id_t id, ompt_lock_hint_t hint, ompt_lock_type_t type) {
    (void)hint, (void)type;
    on_wait(id);
}

static void start(void) {
    SET(wait_lock, on_wait)
    SET(acquired_lock, on_acquired)
    SET(release_lock, on_release)
    SET(wait_nest_lock, on_wait)
    SET(acquired_nest_lock_first, on_acquired)
    SET(release_nest_lock_last, on_release)
    SET(wait_critical, on_wait_critical)
    SET(acquired_critical, on_acquired)
    SET(release_critical, on_release)
    // The first call of `backtrace` loads a library.
    releasing_function();
}

static int64_t charged_to(const char *name) {
    for (int i = 0; i < FUNCTIONS && charges[i].name; i++)
        if (strcmp(charges[i].name, name) == 0)
            return charges[i].time;
    return 0;
}

/* ---- The program ---- */

static omp_lock_t lock, other_lock;
static omp_nest_lock_t nest;
static atomic_int is_held;

static void hold(void) {
    if (omp_get_thread_num() == 0) {
        is_held = 1;
        while (waiting < THREADS - 1)
            usleep(100);
        work_for(20 * MILLISECOND);
    }
}

/* The primary thread comes first. */
static void come(void) {
    while (omp_get_thread_num() != 0 && !is_held)
        usleep(100);
}

void lock_holder(void) {
    omp_set_lock(&lock);
    hold();
    omp_unset_lock(&lock);
}

void nest_lock_holder(void) {
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    hold();
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
}

void critical_holder(void) {
#pragma omp critical(blamed)
    hold();
}

/* Nobody waits for its lock. */
void innocent_holder(void) {
    omp_set_lock(&other_lock);
    work_for(MILLISECOND);
    omp_unset_lock(&other_lock);
}

static void round_of(void (*holder)(void)) {
    is_held = 0;
#pragma omp parallel num_threads(THREADS)
    {
        if (omp_get_thread_num() == 0)
            innocent_holder();
        come();
        holder();
    }
}

int main(void) {
    omp_init_lock(&lock);
    omp_init_lock(&other_lock);
    omp_init_nest_lock(&nest);
    for (int i = 0; i < ROUNDS; i++) {
        round_of(lock_holder);
        round_of(nest_lock_holder);
        round_of(critical_holder);
    }
    int64_t least = ROUNDS * (THREADS - 1) * 20 * MILLISECOND;
    int64_t sum = charged_to("lock_holder") + charged_to("nest_lock_holder") +
                  charged_to("critical_holder");
    printf("lock=%d nest_lock=%d critical=%d innocent=%d elsewhere=%d all=%d\n",
           charged_to("lock_holder") >= least, charged_to("nest_lock_holder") >= least,
           charged_to("critical_holder") >= least, charged_to("innocent_holder") == 0,
           elsewhere == 0, charged == waited && sum == charged);
    return 0;
}
