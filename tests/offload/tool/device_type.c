// The type of a device begins with its vendor and its model, with semicolons between them (OpenMP 6.0 §35.1):
// the devices that are the host have those of its processors.
//#StockFails:the type of its host device is generic-64bit, without vendor and model
#define TARGET_TOOL 0
#include "target_tool.h"
#include <omp.h>

static int devices;

// The value of the first of the fields in /proc/cpuinfo, which has no newline in it.
static int field(const char *const names[2], char *value, size_t size)
{
    char line[4096];
    FILE *file = fopen("/proc/cpuinfo", "r");
    value[0] = '\0';
    while (file != NULL && value[0] == '\0' && fgets(line, sizeof line, file) != NULL)
        for (int i = 0; i < 2; i++)
            if (strncmp(line, names[i], strlen(names[i])) == 0 && strchr("\t :", line[strlen(names[i])]) != NULL)
                snprintf(value, size, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"), strchr(line, ':') + 2);
    if (file != NULL)
        fclose(file);
    return value[0] != '\0';
}

static void on_device(int device, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup,
                      const char *documentation)
{
    (void)device, (void)handle, (void)lookup, (void)documentation;
    char vendor[200], model[200], expected[512];
    CHECK(field((const char *const[2]){"vendor_id", "CPU implementer"}, vendor, sizeof vendor));
    CHECK(field((const char *const[2]){"model name", "CPU part"}, model, sizeof model));
    snprintf(expected, sizeof expected, "%s;%s;", vendor, model);
    CHECK(strncmp(type, expected, strlen(expected)) == 0);
    devices++;
}

static void begin(ompt_function_lookup_t lookup)
{
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    CHECK_EQ(set(ompt_callback_device_initialize, (ompt_callback_t)on_device), ompt_set_always);
}

int main(void)
{
    tool_begin(begin);
    int value = 0;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 1);
    CHECK_EQ(devices, 1);
    return check_result();
}
