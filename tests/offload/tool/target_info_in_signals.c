// ompt_get_target_info is async-signal-safe: a handler asks at any moment of constructs that come and go, and
// gets nothing, or the device and the id of the construct that goes on.
//#Timeout:60
//#StockFails:it does not tell the runtime of its constructs
//#LibompFails:its ompt_get_target_info answers 0 everywhere
#define TARGET_TOOL 0
#include "target_tool.h"
#include <omp.h>
#include <signal.h>
#include <sys/time.h>

enum { ENOUGH = 300 };

// What the tool's ids have more than those of the runtime.
#define OWN (1ull << 40)

static ompt_get_target_info_t get_target_info;
static volatile uint64_t begun;
static volatile int device_now, inside, outside, wrong;

static void on_construct(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                         ompt_data_t *target_task, ompt_data_t *target, const void *code)
{
    (void)kind, (void)task, (void)target_task, (void)code;
    CHECK_EQ(device, device_now);
    if (endpoint == ompt_scope_begin)
        target->value = begun + OWN;
}

static void caught(int number)
{
    uint64_t device = 99;
    ompt_id_t target = 0, operation = 0;
    if (get_target_info == NULL || number != SIGALRM)
        return;
    if (!get_target_info(&device, &target, &operation)) {
        outside++;
        return;
    }
    inside++;
    // Before the tool has given its id, the construct has one of the runtime.
    if (device != (uint64_t)device_now || target == 0 || (target >= OWN && target != begun + OWN))
        wrong++;
}

static void begin(ompt_function_lookup_t lookup)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_target_emi, (ompt_callback_t)on_construct);
    get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
}

int main(void)
{
    static long array[4096];
    struct sigaction action = {.sa_handler = caught, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 150}, {0, 150}}, never = {{0, 0}, {0, 0}};
    tool_begin(begin);
    CHECK(get_target_info != NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    long turn = 0;
    for (; turn < 200000 && (inside < ENOUGH || outside < ENOUGH); turn++) {
        for (volatile int wait = 0; wait < 2000; wait++)
            ;
        device_now = (int)(turn % 2);
        begun++;
#pragma omp target map(tofrom : array) device(device_now)
        array[turn % 4096]++;
    }
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK(inside >= ENOUGH / 10 && outside >= ENOUGH / 10);
    CHECK_EQ(wrong, 0);
    long sum = 0;
    for (int i = 0; i < 4096; i++)
        sum += array[i];
    CHECK_EQ(sum, turn);
    return check_result();
}
