/* Section 7.2 of the 2015 report: the registration of callbacks in the tool's initializer, and at
 * every other moment; and the commands of section 8. The tool is in the program. */
#include <omp.h>
#include <ompt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

enum { LAST = 70 };

static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static int wrong, controls;

#define EXPECT(holds)                                                                              \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            wrong++;                                                                               \
            printf("line %d: " #holds "\n", __LINE__);                                             \
        }                                                                                          \
    } while (0)

static void nothing(void) {}
static void another(void) {}

/* The events that the tool leaves registered. */
static int is_registered(int event) {
    return event == ompt_event_control || event == ompt_event_runtime_shutdown;
}

static void inquire(void) {
    for (int event = -1; event <= LAST + 1; event++) {
        ompt_callback_t found = nothing;
        int has_one = get_callback((ompt_event_t)event, &found);
        EXPECT(has_one == is_registered(event));
        EXPECT(is_registered(event) ? found && found != nothing : found == nothing);
    }
}

/* Not in the initializer: nothing can be registered, exchanged or removed. */
static void too_late(void) {
    for (int event = -1; event <= LAST + 1; event++) {
        EXPECT(set_callback((ompt_event_t)event, another) == 0);
        EXPECT(set_callback((ompt_event_t)event, NULL) == 0);
    }
    inquire();
}

static void control(uint64_t command, uint64_t modifier) {
    controls++;
    EXPECT(command == (uint64_t)controls && modifier == UINT64_MAX / command);
    too_late();
}

static void runtime_shutdown(void) {
    too_late();
    printf("controls=%d wrong=%d\n", controls, wrong);
}

static void on_signal(int number) {
    (void)number;
    inquire();
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime_version,
                       unsigned ompt_version) {
    (void)runtime_version, (void)ompt_version;
    set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    static const int none[] = {-1, 0, 64, LAST + 1, 1000};
    for (unsigned n = 0; n < sizeof none / sizeof *none; n++) {
        ompt_callback_t found = another;
        EXPECT(set_callback((ompt_event_t)none[n], nothing) == 0);
        EXPECT(get_callback((ompt_event_t)none[n], &found) == 0 && found == another);
    }
    static int answers[LAST + 1];
    for (int event = 1; event <= LAST; event++) {
        ompt_callback_t found = another;
        if (event == 64)
            continue;
        EXPECT(get_callback((ompt_event_t)event, &found) == 0 && found == another);
        int answer = set_callback((ompt_event_t)event, nothing);
        EXPECT(answer >= 2 && answer <= 4);
        answers[event] = answer;
        EXPECT(get_callback((ompt_event_t)event, &found) == 1 && found == nothing);
        /* A second callback takes the place of the first; without one nothing is registered. */
        EXPECT(set_callback((ompt_event_t)event, another) == answer);
        EXPECT(get_callback((ompt_event_t)event, &found) == 1 && found == another);
        set_callback((ompt_event_t)event, NULL);
        EXPECT(get_callback((ompt_event_t)event, &found) == 0);
    }
    /* The begin and the end of idling and of a wait are offered together. */
    for (int begin = ompt_event_idle_begin; begin < ompt_event_wait_taskgroup_end; begin += 2)
        EXPECT(answers[begin] == answers[begin + 1]);
    EXPECT(set_callback(ompt_event_control, (ompt_callback_t)control) == 4);
    EXPECT(set_callback(ompt_event_runtime_shutdown, (ompt_callback_t)runtime_shutdown) == 4);
    inquire();
}

ompt_initialize_fn_t ompt_tool(void) { return initialize; }

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    omp_get_max_threads();
    signal(SIGUSR1, on_signal);
    too_late();
    for (uint64_t command = 1; command <= 4; command++)
        ompt_control(command, UINT64_MAX / command);
    EXPECT(controls == 4);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        {
            too_late();
            raise(SIGUSR1);
        }
    }
    return 0;
}
