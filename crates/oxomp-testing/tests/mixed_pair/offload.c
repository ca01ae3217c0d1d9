// Offloads, and has a tool that counts.
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

static int begins, finalized;
static ompt_finalize_tool_t end_tool;

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device,
                      ompt_data_t *task, ompt_data_t *target_task, ompt_data_t *target,
                      const void *code)
{
    (void)device, (void)task, (void)target_task, (void)target, (void)code;
    if ((kind == ompt_target || kind == ompt_target_nowait) && endpoint == ompt_scope_begin)
        begins++;
}

static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    ompt_set_callback_t set_callback = (ompt_set_callback_t)look_up("ompt_set_callback");
    end_tool = (ompt_finalize_tool_t)look_up("ompt_finalize_tool");
    set_callback(ompt_callback_target_emi, (ompt_callback_t)on_target);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    finalized++;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

int main(void)
{
    int data[100], sum = 0;
    for (int i = 0; i < 100; i++)
        data[i] = i;
    for (int round = 0; round < 2; round++) {
#pragma omp target teams distribute parallel for map(tofrom : data) num_teams(2)
        for (int i = 0; i < 100; i++)
            data[i] *= 2;
    }
#pragma omp target map(to : data) map(tofrom : sum) nowait depend(inout : sum)
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += data[i];
#pragma omp taskwait
    printf("%d devices, sum %d, %d regions\n", omp_get_num_devices(), sum, begins);
    int is_in_parallel = -1;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp target map(from : is_in_parallel)
    is_in_parallel = omp_in_parallel();
    printf("%s task\n", is_in_parallel ? "the encountering" : "an initial");
    end_tool();
    printf("%d end of the tool\n", finalized);
    return 0;
}
