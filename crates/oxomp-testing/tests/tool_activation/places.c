/* A program with its tool inside, which asks for places and partitions, in its initializer and from
 * signal handlers too. Run with two processors as FIRST < SECOND, OMP_PLACES={second},{first,second},{first},
 * OMP_PROC_BIND=spread and two threads. */
#include <omp-tools.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static ompt_get_num_procs_t get_num_procs;
static ompt_get_num_places_t get_num_places;
static ompt_get_place_proc_ids_t get_place_proc_ids;
static ompt_get_place_num_t get_place_num;
static ompt_get_partition_place_nums_t get_partition_place_nums;
static int signals, first, second;

static void expect(int line, const char *what, int got, int wanted) {
    if (got != wanted) {
        printf("line %d: %s is %d, not %d\n", line, what, got, wanted);
        exit(1);
    }
}
#define EXPECT(what, wanted) expect(__LINE__, #what, (what), (wanted))

static void list(void) {
    int ids[3] = {-5, -5, -5};
    EXPECT(get_num_places(), 3);
    EXPECT(get_place_proc_ids(0, 3, ids), 1);
    EXPECT(ids[0], second);
    EXPECT(ids[1], -5);
    EXPECT(get_place_proc_ids(1, 2, ids), 2);
    EXPECT(ids[0], first);
    EXPECT(ids[1], second);
    ids[0] = -5;
    EXPECT(get_place_proc_ids(1, 1, ids), 2);
    EXPECT(ids[0], -5);
    EXPECT(get_place_proc_ids(1, 0, NULL), 2);
    EXPECT(get_place_proc_ids(-1, 3, ids), 0);
    EXPECT(get_place_proc_ids(3, 3, ids), 0);
    EXPECT(ids[0], -5);
}

/* The caller is at `place`, and its partition are `count` places from `begin` on. */
static void here(int place, int begin, int count) {
    int nums[4] = {-5, -5, -5, -5};
    EXPECT(get_place_num(), place);
    EXPECT(get_partition_place_nums(count - 1, nums), count);
    EXPECT(nums[0], -5);
    EXPECT(get_partition_place_nums(4, nums), count);
    for (int i = 0; i < 4; i++)
        EXPECT(nums[i], i < count ? begin + i : -5);
}

static void everywhere(int thread_num) {
    if (thread_num == 0)
        here(0, 0, 1);
    else
        here(1, 1, 2);
}

static void on_signal(int number) {
    (void)number;
    everywhere(omp_get_thread_num());
    __atomic_fetch_add(&signals, 1, __ATOMIC_RELAXED);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    get_num_procs = (ompt_get_num_procs_t)lookup("ompt_get_num_procs");
    get_num_places = (ompt_get_num_places_t)lookup("ompt_get_num_places");
    get_place_proc_ids = (ompt_get_place_proc_ids_t)lookup("ompt_get_place_proc_ids");
    get_place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
    get_partition_place_nums =
        (ompt_get_partition_place_nums_t)lookup("ompt_get_partition_place_nums");
    first = atoi(getenv("FIRST"));
    second = atoi(getenv("SECOND"));
    list();
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)omp_version, (void)runtime_version;
    return &result;
}

int main(void) {
    signal(SIGUSR1, on_signal);
    list();
    /* The tool's questions have not started the runtime, which reads the environment now. */
    setenv("OMP_MAX_ACTIVE_LEVELS", "7", 1);
    EXPECT(omp_get_max_active_levels(), 7);
    EXPECT(omp_get_num_places(), 3);
    list();
    here(0, 0, 3);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            list();
            EXPECT(get_num_procs(), omp_get_num_procs());
            everywhere(omp_get_thread_num());
            raise(SIGUSR1);
        }
        here(0, 0, 3);
    }
    EXPECT(signals, 6);
    printf("placed\n");
    return 0;
}
