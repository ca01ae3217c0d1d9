// A tool of the 2015 report: target tasks and target data regions of devices, the mappings inside, the active
// device, and what the tool gets of each device.
//#Flags:-rdynamic
//#StockFails:its connection serves tools of OpenMP 5 only
//#LibompFails:it has no tools of the 2015 report
#include "../../../include/ompt.h"
#include "check.h"
#include <omp.h>
#include <string.h>

enum about { TASK_BEGIN = 62, TASK_END = 63, DATA_BEGIN = 65, DATA_END = 66, MAP_BEGIN = 67, MAP_END = 68 };

static struct event {
    enum about about;
    uint64_t task, parent, map;
    int device, type, flags, active;
    const void *code, *host, *place;
    size_t bytes;
} events[1000];
static int event_count, answers[71], devices_at_start = -1;
static ompt_target_get_device_id_t get_device_id;
static ompt_target_get_device_info_t get_device_info;
static ompt_get_num_devices_t get_num_devices;
static ompt_get_task_info_t get_task_info;

static struct event *add(enum about about)
{
    struct event *event = &events[event_count++];
    event->about = about;
    event->active = get_device_id();
    return event;
}

static void on_task_begin(ompt_task_id_t parent, const ompt_frame_t *frame, ompt_task_id_t task, int device,
                          const void *code, ompt_target_task_type_t type)
{
    struct event *event = add(TASK_BEGIN);
    event->parent = parent;
    event->task = task;
    event->device = device;
    event->code = code;
    event->type = type;
    CHECK(frame != NULL);
}

static void on_task_end(ompt_task_id_t task)
{
    add(TASK_END)->task = task;
}

static void on_data_begin(ompt_task_id_t task, int device, const void *code)
{
    struct event *event = add(DATA_BEGIN);
    event->task = task;
    event->device = device;
    event->code = code;
}

static void on_data_end(ompt_task_id_t task)
{
    add(DATA_END)->task = task;
}

static void on_map_begin(ompt_task_id_t task, int device, const ompt_target_map_entry_t *items, uint32_t count,
                         ompt_target_activity_id_t map)
{
    struct event *event = add(MAP_BEGIN);
    CHECK_EQ(count, 1);
    event->task = task;
    event->device = device;
    event->flags = items->mapping_flags;
    event->host = items->host_addr;
    event->place = items->device_addr;
    event->bytes = items->bytes;
    event->map = map;
}

static void on_map_end(int device, ompt_target_activity_id_t map)
{
    struct event *event = add(MAP_END);
    event->device = device;
    event->map = map;
}

static void start(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    (void)runtime, (void)version;
    get_device_id = (ompt_target_get_device_id_t)lookup("ompt_target_get_device_id");
    get_device_info = (ompt_target_get_device_info_t)lookup("ompt_target_get_device_info");
    get_num_devices = (ompt_get_num_devices_t)lookup("ompt_get_num_devices");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    devices_at_start = get_num_devices();
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    answers[TASK_BEGIN] = set(ompt_event_target_task_begin, (ompt_callback_t)on_task_begin);
    answers[TASK_END] = set(ompt_event_target_task_end, (ompt_callback_t)on_task_end);
    answers[DATA_BEGIN] = set(ompt_event_target_data_begin, (ompt_callback_t)on_data_begin);
    answers[DATA_END] = set(ompt_event_target_data_end, (ompt_callback_t)on_data_end);
    answers[MAP_BEGIN] = set(ompt_event_target_data_map_begin, (ompt_callback_t)on_map_begin);
    answers[MAP_END] = set(ompt_event_target_data_map_end, (ompt_callback_t)on_map_end);
}

ompt_initialize_fn_t ompt_tool(void)
{
    return start;
}

static int data[64], at;

static struct event *next(enum about about)
{
    CHECK(at < event_count && events[at].about == about);
    return &events[at++];
}

// A mapping: its begin and its end.
static void map(int flags, uint64_t task, int device)
{
    struct event *begin = next(MAP_BEGIN), *end = next(MAP_END);
    CHECK_EQ(begin->flags, flags | ompt_target_map_flag_sync);
    CHECK(begin->host == data && begin->bytes == sizeof data && begin->task == task);
    CHECK(begin->device == device && end->device == device && begin->map == end->map && begin->map != 0);
    CHECK(begin->place != NULL || flags == ompt_target_map_flag_alloc);
    CHECK(begin->active == device && end->active == device);
}

static uint64_t task_begins(int type, uint64_t parent, int device)
{
    struct event *begin = next(TASK_BEGIN);
    CHECK(begin->type == type && begin->parent == parent && begin->device == device);
    CHECK(begin->task != 0 && begin->task != parent && begin->active == device);
    CHECK((begin->code != NULL) == (type == ompt_target_task_target));
    return begin->task;
}

int main(void)
{
    int value = 0;
    uint64_t own = 0;
    omp_get_max_threads();
    get_task_info(0, NULL, &own, NULL, NULL);
    CHECK(own != 0);
    CHECK(devices_at_start > 1 && devices_at_start == omp_get_num_devices());
    CHECK(answers[TASK_BEGIN] == 4 && answers[TASK_END] == 4);
    // Not always: the begin of a region whose data only go to the device is a call like that of target enter data.
    CHECK(answers[DATA_BEGIN] == 3 && answers[DATA_END] == 3);
    CHECK(answers[MAP_BEGIN] == 3 && answers[MAP_END] == 3);

    for (int device = 0; device < devices_at_start; device++) {
        const char *type = NULL;
        ompt_target_device_t *handle = NULL;
        ompt_function_lookup_t lookup = NULL;
        CHECK_EQ(get_device_info(device, &type, &handle, &lookup, NULL), 0);
        CHECK(type != NULL && strlen(type) > 0 && handle != NULL && lookup != NULL);
        CHECK(lookup != NULL && lookup("ompt_no_such_function") == NULL);
    }
    ompt_target_device_t *handle;
    ompt_function_lookup_t lookup;
    CHECK(get_device_info(devices_at_start, NULL, &handle, &lookup, NULL) != 0);
    CHECK(get_device_info(-1, NULL, &handle, &lookup, NULL) != 0);

    CHECK_EQ(get_device_id(), -1);
#pragma omp target map(tofrom : data) device(1)
    data[0]++;
    CHECK_EQ(get_device_id(), -1);
    uint64_t task = task_begins(ompt_target_task_target, own, 1);
    map(ompt_target_map_flag_alloc, own, 1);
    map(ompt_target_map_flag_to, own, 1);
    map(ompt_target_map_flag_from, own, 1);
    map(ompt_target_map_flag_delete, own, 1);
    struct event *end = next(TASK_END);
    CHECK(end->task == task && end->active == 1);
    CHECK_EQ(at, event_count);

#pragma omp target data map(tofrom : data)
    {
        struct event *begin = next(DATA_BEGIN);
        CHECK(begin->task == own && begin->device == 0 && begin->code != NULL && begin->active == 0);
        map(ompt_target_map_flag_alloc, own, 0);
        map(ompt_target_map_flag_to, own, 0);
        CHECK_EQ(at, event_count);
#pragma omp target update from(data)
        task = task_begins(ompt_target_task_update, own, 0);
        map(ompt_target_map_flag_from, own, 0);
        CHECK_EQ(next(TASK_END)->task, task);
    }
    map(ompt_target_map_flag_from, own, 0);
    map(ompt_target_map_flag_delete, own, 0);
    CHECK_EQ(next(DATA_END)->task, own);
    CHECK_EQ(at, event_count);

#pragma omp target enter data map(to : data)
    task = task_begins(ompt_target_task_enter_data, own, 0);
    map(ompt_target_map_flag_alloc, own, 0);
    map(ompt_target_map_flag_to, own, 0);
    CHECK_EQ(next(TASK_END)->task, task);
#pragma omp target exit data map(delete : data)
    task = task_begins(ompt_target_task_exit_data, own, 0);
    map(ompt_target_map_flag_delete, own, 0);
    CHECK_EQ(next(TASK_END)->task, task);
    CHECK_EQ(at, event_count);

    // A region of which the compiler's calls do not tell that it is one.
#pragma omp target data map(to : data)
    {
        task = task_begins(ompt_target_task_enter_data, own, 0);
        map(ompt_target_map_flag_alloc, own, 0);
        map(ompt_target_map_flag_to, own, 0);
        CHECK_EQ(next(TASK_END)->task, task);
        CHECK_EQ(at, event_count);
    }
    task = task_begins(ompt_target_task_exit_data, own, 0);
    map(ompt_target_map_flag_delete, own, 0);
    CHECK_EQ(next(TASK_END)->task, task);
    CHECK_EQ(at, event_count);

    // A routine is no construct.
    omp_target_free(omp_target_alloc(100, 0), 0);
    CHECK_EQ(at, event_count);

    // The runtime generates the target task of a deferred construct, and tells of it.
#pragma omp target map(tofrom : value) nowait
    value++;
#pragma omp taskwait
    CHECK_EQ(value, 1);
    struct event *begin = next(TASK_BEGIN);
    CHECK(begin->type == ompt_target_task_target && begin->parent == own && begin->task != 0);
    int maps = 0;
    while (at < event_count && (events[at].about == MAP_BEGIN || events[at].about == MAP_END))
        maps += events[at++].about == MAP_BEGIN;
    CHECK_EQ(maps, 4);
    CHECK_EQ(next(TASK_END)->task, begin->task);
    CHECK_EQ(at, event_count);
    return check_result();
}
