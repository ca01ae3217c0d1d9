// A thread uses a device for the first time while another thread ends the tool. The runtime no longer tells the tool
// that a device begins, so it tells the tool of no event on that device either.
//#StockFails:it keeps the callbacks of its start
//#LibompFails:it tells libomptarget of the tool's end when that is over
#define TARGET_TOOL 0
#include "target_tool.h"
#include <omp.h>
#include <stdatomic.h>

enum { MOST = 64 };

static atomic_int begun[MOST], ended, is_used, unknown;

static void *use_the_other(void *argument)
{
    int value = 0;
#pragma omp target map(tofrom : value) device(1)
    value++;
    CHECK_EQ(value, 1);
    return argument;
}

static void on_device(int device, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup,
                      const char *documentation)
{
    (void)type, (void)handle, (void)lookup, (void)documentation;
    atomic_store(&begun[device], 1);
}

static void on_device_end(int device)
{
    CHECK_EQ(device, 0);
    ended++;
    if (atomic_exchange(&is_used, 1))
        return;
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, use_the_other, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
}

static void is_of(int device)
{
    unknown += !atomic_load(&begun[device]);
}

static void on_image(int device, const char *file, int64_t offset, void *vma, size_t bytes, void *host, void *there,
                     uint64_t module)
{
    (void)file, (void)offset, (void)vma, (void)bytes, (void)host, (void)there, (void)module;
    is_of(device);
}

static void on_image_end(int device, uint64_t module)
{
    (void)module;
    is_of(device);
}

static void on_construct(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                         ompt_data_t *target_task, ompt_data_t *target, const void *code)
{
    (void)kind, (void)endpoint, (void)task, (void)target_task, (void)target, (void)code;
    is_of(device);
}

int main(void)
{
    CHECK(omp_get_num_devices() > 1);
    CHECK_EQ(tool_set(ompt_callback_device_initialize, (ompt_callback_t)on_device), ompt_set_always);
    CHECK_EQ(tool_set(ompt_callback_device_finalize, (ompt_callback_t)on_device_end), ompt_set_always);
    CHECK_EQ(tool_set(ompt_callback_device_load, (ompt_callback_t)on_image), ompt_set_always);
    CHECK_EQ(tool_set(ompt_callback_device_unload, (ompt_callback_t)on_image_end), ompt_set_always);
    CHECK_EQ(tool_set(ompt_callback_target_emi, (ompt_callback_t)on_construct), ompt_set_always);
    int value = 0;
#pragma omp target map(tofrom : value) device(0)
    value++;
    CHECK_EQ(value, 1);
    tool_finalize();
    CHECK(is_used && begun[0] && !begun[1]);
    CHECK_EQ(ended, 1);
    CHECK_EQ(unknown, 0);
    return check_result();
}
