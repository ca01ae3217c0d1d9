// The last call of a kernel may be a jump, as that of a kernel that consists of a league. The league is told
// with the program's call of the target construct, and as encountered by the region's initial task; the task
// that encountered the target construct has left the program's code there.
//#StockFails:the league belongs to a call in libomptarget
//#LibompFails:the league belongs to a call in libomptarget
#define TARGET_TOOL 0
#include "target_tool.h"
#include <omp.h>

static const void *target_code, *league_code;
static ompt_data_t *initial_task;
static int initial_tasks, leagues;
static ompt_get_task_info_t get_task_info;

static void on_construct(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                         ompt_data_t *target_task, ompt_data_t *target, const void *code)
{
    (void)kind, (void)device, (void)task, (void)target_task, (void)target;
    if (endpoint == ompt_scope_begin)
        target_code = code;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned size, unsigned index, int flags)
{
    (void)parallel, (void)size;
    if (target_code == NULL || endpoint != ompt_scope_begin || !(flags & ompt_task_initial) || leagues > 0)
        return;
    CHECK_EQ(index, 1);
    initial_task = task;
    initial_tasks++;
}

static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned teams,
                        int flags, const void *code)
{
    (void)frame, (void)parallel;
    if (!(flags & ompt_parallel_league))
        return;
    CHECK_EQ(teams, 2);
    CHECK(task == initial_task);
    league_code = code;
    leagues++;
    ompt_frame_t *inner = NULL, *outer = NULL;
    CHECK(get_task_info(0, NULL, NULL, &inner, NULL, NULL) > 0);
    CHECK(get_task_info(1, NULL, NULL, &outer, NULL, NULL) > 0);
    CHECK(inner && inner->enter_frame.ptr && inner->exit_frame.ptr);
    CHECK(outer && outer->enter_frame.ptr);
    // The stack grows downwards.
    CHECK((char *)outer->enter_frame.ptr > (char *)inner->exit_frame.ptr);
}

static void begin(ompt_function_lookup_t lookup)
{
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_target_emi, (ompt_callback_t)on_construct);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel);
}

int main(void)
{
    int sums[2] = {0};
    tool_begin(begin);
#pragma omp target teams num_teams(2) map(tofrom : sums)
    sums[omp_get_team_num()]++;
    CHECK(sums[0] == 1 && sums[1] == 1);
    CHECK_EQ(initial_tasks, 1);
    CHECK_EQ(leagues, 1);
    CHECK(target_code != NULL && league_code == target_code);
    return check_result();
}
