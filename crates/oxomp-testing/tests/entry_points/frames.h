/* A program that goes through all constructs. In each callback the unwinding tables tell which
 * function of the program has called the runtime last: the enter frame of the task that made the
 * call is an address in that function's frame, however the program was compiled. The file that
 * includes this one includes before it the tool of one interface, with the functions declared here.
 *
 * With KEEPS_FRAMES the program is compiled so that each function keeps a frame pointer, and makes
 * no tail call. */
#include <errno.h>
#include <unwind.h>

struct frames {
    uintptr_t exit, enter;
    /* What the flags say, if the interface has some: whose frames, and that it is a frame pointer. */
    int has_flags, exit_is_programs, enter_is_programs, enter_is_pointer;
};

/* Of the task at a level; 0 beyond. */
static int frames_at(int level, struct frames *frames);
static int is_registered(int event);

#define CHECK(condition, value) EXPECT(((void)(value), (condition)))

extern const char __executable_start, etext;

/* The frame of the program's function that is in a call of the runtime. */
struct user {
    int passed; /* The functions of the tool, then those of the runtime. */
    uintptr_t stack, end;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument) {
    struct user *user = argument;
    uintptr_t code = _Unwind_GetIP(context), stack = _Unwind_GetCFA(context);
    if (user->stack) {
        user->end = stack;
        return _URC_END_OF_STACK;
    }
    int is_program = code >= (uintptr_t)&__executable_start && code < (uintptr_t)&etext;
    if (!is_program)
        user->passed = 1;
    else if (user->passed)
        user->stack = stack;
    return _URC_NO_REASON;
}

/* The events with at least one frame of the program that was found to be right. */
enum { EVENTS = 64 };
static atomic_int seen[EVENTS];

static void check(int event) {
    struct user user = {0, 0, 0};
    struct frames frames = {0};
    int level = 0;
    _Unwind_Backtrace(step, &user);
    while (frames_at(level, &frames) && !frames.enter)
        level++;
    uintptr_t enter = frames.enter, exit = frames.exit;
    if (!user.end || !enter)
        return; /* A worker, without a function of the program. */
    int is_in_frame = enter >= user.stack && enter < user.end;
    /* The function had ended with its call: the frame of the runtime that had called it. */
    int is_below_exit = enter < exit && exit - enter < 64;
#ifdef KEEPS_FRAMES
    EXPECT(is_in_frame);
    EXPECT(!frames.has_flags || frames.enter_is_pointer);
#endif
    EXPECT(is_in_frame || is_below_exit);
#ifdef __x86_64__
    int is_pointer = enter + 16 == user.end;
    EXPECT(is_pointer || !is_in_frame || enter == user.stack + 8);
    EXPECT(!frames.has_flags || !frames.enter_is_pointer || is_pointer);
#endif
    if (frames.has_flags) {
        EXPECT(frames.enter_is_programs == is_in_frame);
        /* To a task that the program's function executes in place, both are that function's. */
        EXPECT(!exit || enter < exit || (frames.exit_is_programs && enter == exit));
    }
    atomic_fetch_add(&seen[event], is_in_frame);
}

#define CALLBACK(event, name, ...)                                                                 \
    static void name(__VA_ARGS__) {                                                                \
        check(event);                                                                              \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"

static void in_the_child(void) {}

#include "constructs.h"

static volatile int sum, zero, room = 32;

/* Has no frame pointer where functions have none: the register is its caller's. */
__attribute__((noinline)) static void inherits(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        sum++;
    }
#pragma omp task if (zero)
    sum++;
#pragma omp parallel if (zero)
    {
#pragma omp critical
        sum++;
#pragma omp taskwait
    }
#pragma omp taskwait
    sum++;
}

/* Always has a frame pointer, as its frame has no fixed size. */
__attribute__((noinline)) static void has_a_frame_pointer(void) {
    volatile char *place = __builtin_alloca((size_t)room);
    place[0] = 1;
    inherits();
    sum += place[0];
}

int main(void) {
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
    all_constructs(0);
    has_a_frame_pointer();
#pragma omp parallel num_threads(2)
    {
        has_a_frame_pointer();
#pragma omp barrier
    }
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
#pragma omp task
        has_a_frame_pointer();
    }
    for (int event = 0; event < EVENTS; event++)
        if (is_registered(event) && !atomic_load(&seen[event]))
            printf("event %d has no frame\n", event);
    printf("wrong=%d\n", wrong);
    return 0;
}
