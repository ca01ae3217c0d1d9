// ompt_get_target_info answers inside of a construct, to callbacks and on all threads of a kernel, with the
// device, the tool's id of the construct, and the id of the operation that goes on.
//#StockFails:it does not tell the runtime of its constructs
//#LibompFails:its ompt_get_target_info answers 0 everywhere
#define TARGET_TOOL 0
#include "target_tool.h"
#include <omp.h>

static ompt_get_target_info_t get_target_info;
static uint64_t now, operation, seen;

static int ask(uint64_t *device, ompt_id_t *target, ompt_id_t *operation)
{
    *device = 99;
    *target = *operation = 98;
    return get_target_info(device, target, operation);
}

static void on_construct(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                         ompt_data_t *target_task, ompt_data_t *target, const void *code)
{
    uint64_t number;
    ompt_id_t id, op;
    (void)kind, (void)task, (void)target_task, (void)code;
    CHECK_EQ(ask(&number, &id, &op), 1);
    CHECK(number == (uint64_t)device && op == 0 && id != 0);
    if (endpoint == ompt_scope_begin)
        now = target->value = new_id() + 1000;
    else
        CHECK_EQ(id, now);
    seen |= 1;
}

static void on_operation(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *target,
                         ompt_id_t *op, ompt_target_data_op_t kind, void *from, int from_device, void *to,
                         int to_device, size_t bytes, const void *code)
{
    uint64_t number;
    ompt_id_t id, current;
    (void)target_task, (void)kind, (void)from, (void)from_device, (void)to, (void)to_device, (void)bytes, (void)code;
    int is_inside = ask(&number, &id, &current);
    CHECK_EQ(is_inside, target->value != 0);
    if (!is_inside)
        return;
    CHECK(number == 1 && id == now && id == target->value && current != 0);
    if (endpoint == ompt_scope_begin)
        operation = *op = new_id() + 5000;
    else
        CHECK(current == operation && *op == operation);
    seen |= 2;
}

static void on_kernel(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *op, unsigned teams)
{
    uint64_t number;
    ompt_id_t id, current;
    (void)teams;
    CHECK_EQ(ask(&number, &id, &current), 1);
    CHECK(number == 1 && id == now && id == target->value && current != 0);
    if (endpoint == ompt_scope_begin)
        operation = *op = new_id() + 5000;
    else
        CHECK(current == operation && *op == operation);
    seen |= 4;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned size, unsigned index, int flags)
{
    uint64_t number;
    ompt_id_t id, current;
    (void)parallel, (void)task, (void)size;
    if (endpoint != ompt_scope_begin || index == 0 || (flags & ompt_task_initial))
        return;
    CHECK_EQ(ask(&number, &id, &current), 1);
    CHECK(number == 1 && id == now && current == 0);
    __atomic_fetch_or(&seen, 8, __ATOMIC_RELAXED);
}

static void begin(ompt_function_lookup_t lookup)
{
    get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set(ompt_callback_target_emi, (ompt_callback_t)on_construct);
    set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_operation);
    set(ompt_callback_target_submit_emi, (ompt_callback_t)on_kernel);
}

int main(void)
{
    uint64_t number;
    ompt_id_t id, op;
    int value = 1;
    tool_begin(begin);
    CHECK_EQ(ask(&number, &id, &op), 0);
    CHECK(number == 99 && id == 98 && op == 98);
#pragma omp target data map(tofrom : value) device(1)
    {
        CHECK_EQ(ask(&number, &id, &op), 0);
#pragma omp target map(tofrom : value) device(1)
#pragma omp parallel num_threads(2)
#pragma omp masked
        value++;
#pragma omp target update from(value) device(1)
    }
    CHECK_EQ(value, 2);
    CHECK_EQ(seen, 15);
    omp_target_free(omp_target_alloc(100, 1), 1);
    CHECK_EQ(ask(&number, &id, &op), 0);
    return check_result();
}
