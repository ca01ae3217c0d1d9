/* TEST_DEVICE_FAULTS is a list of NAME=ACTION, separated by commas: NAME is a GOMP_OFFLOAD_ function
   without that prefix, ACTION is fail, lie, fatal or delay:MILLISECONDS, each with @N behind it if
   only the Nth call of the function is meant. */
#include "plugin.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FUNCTIONS = 32 };

static struct {
  _Atomic(const char *) name;
  atomic_int calls;
} counted[FUNCTIONS];

/* How often the function has been called, with this call. */
static int count(const char *function)
{
  for (int i = 0; i < FUNCTIONS; i++) {
    const char *none = NULL;
    if (!atomic_compare_exchange_strong(&counted[i].name, &none, function) && strcmp(none, function))
      continue;
    return atomic_fetch_add(&counted[i].calls, 1) + 1;
  }
  abort();
}

static enum fault obey(const char *function, const char *action)
{
  int milliseconds;
  if (sscanf(action, "delay:%d", &milliseconds) == 1) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
    return NONE;
  }
  if (!strncmp(action, "fatal", 5))
    GOMP_PLUGIN_fatal("the test device ends in %s, %d%% of %.1f done", function, 50, 1.5);
  if (!strncmp(action, "fail", 4)) {
    GOMP_PLUGIN_error("the test device fails in %s", function);
    return FAIL;
  }
  return strncmp(action, "lie", 3) ? NONE : LIE;
}

enum fault fault_of(const char *function)
{
  int call = count(function);
  size_t length = strlen(function);
  for (const char *rest = getenv("TEST_DEVICE_FAULTS"); rest; rest = strchr(rest, ',')) {
    rest += *rest == ',';
    if (strncmp(rest, function, length) || rest[length] != '=')
      continue;
    const char *action = rest + length + 1, *end = strchr(action, ','), *at = strchr(action, '@');
    if (at && (!end || at < end) && atoi(at + 1) != call)
      continue;
    return obey(function, action);
  }
  return NONE;
}
