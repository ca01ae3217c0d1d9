// A tool of the 2015 report traces a device that the program never uses: its trace ends with the tool, and the
// thread that would deliver its records does.
//#Flags:-rdynamic
//#StockFails:its connection serves tools of OpenMP 5 only
//#LibompFails:it has no tools of the 2015 report
//#Stdout:ended
#include "../../../include/ompt.h"
#include "check.h"
#include <dirent.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ompt_target_get_device_info_t get_device_info;

static void request(int number, ompt_target_buffer_t **buffer, size_t *bytes)
{
    (void)number;
    *buffer = NULL;
    *bytes = 0;
}

static void complete(int number, const ompt_target_buffer_t *buffer, size_t bytes, ompt_target_buffer_cursor_t at,
                     ompt_target_buffer_cursor_t end)
{
    (void)number, (void)buffer, (void)bytes, (void)at, (void)end;
}

static int delivery_threads(void)
{
    int found = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        char path[300], name[20] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            continue;
        found += fgets(name, sizeof name, file) != NULL && strcmp(name, "oxomp-trace\n") == 0;
        fclose(file);
    }
    if (tasks != NULL)
        closedir(tasks);
    return found;
}

// How many there are once it is so many, or after ten seconds: a thread gives itself its name, and
// the system may list one that has been joined for a moment yet.
static int delivery_threads_after(int wanted)
{
    for (int i = 0; i < 10000 && delivery_threads() != wanted; i++)
        usleep(1000);
    return delivery_threads();
}

static void on_shutdown(void)
{
    CHECK_EQ(delivery_threads_after(0), 0);
    if (check_failures)
        _exit(1);
    fputs("ended\n", stdout);
    fflush(stdout);
}

static void start(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    (void)runtime, (void)version;
    get_device_info = (ompt_target_get_device_info_t)lookup("ompt_target_get_device_info");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_event_runtime_shutdown, (ompt_callback_t)on_shutdown);
}

ompt_initialize_fn_t ompt_tool(void)
{
    return start;
}

int main(void)
{
    ompt_target_device_t *device = NULL;
    ompt_function_lookup_t look_up = NULL;
    CHECK(omp_get_num_devices() > 0);
    CHECK_EQ(get_device_info(0, NULL, &device, &look_up, NULL), 0);
    ompt_target_set_trace_native_t set =
        (ompt_target_set_trace_native_t)look_up("ompt_target_set_trace_native");
    ompt_target_start_trace_t begin = (ompt_target_start_trace_t)look_up("ompt_target_start_trace");
    CHECK(set(device, 1, ompt_native_kernel_execution) > 0);
    CHECK_EQ(begin(device, request, complete), 1);
    CHECK_EQ(delivery_threads_after(1), 1);
    if (device == NULL) {
#pragma omp target
        ;
    }
    return check_result();
}
