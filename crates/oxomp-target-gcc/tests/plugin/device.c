/* A plug-in of libgomp whose device is the host with memory of its own. It takes nvptx images: their
   functions and variables are those of the host at the same places of the tables.

   TEST_DEVICES is the number of devices (1), TEST_DEVICE_THREAD=1 lets each kernel run on a thread of
   the device. Code of the host finds declare target variables in the host's memory; the device's
   copies of them are seen by transfers only. */
#include "plugin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { OPENMP = 4, MOST_DEVICES = 8 };
#define LINK_BIT ((uintptr_t)1 << 63)

struct kernel {
  int index;
  void (*function)(void *);
};

struct image {
  struct image *next;
  const void *data;
  int device;
  struct kernel *kernels;
  void **variables;
  int count;
};

static struct image *images;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_ready[MOST_DEVICES];

unsigned GOMP_OFFLOAD_version(void)
{
  return fault_of("version") == LIE ? 99 : PLUGIN_VERSION;
}

const char *GOMP_OFFLOAD_get_name(void)
{
  return fault_of("get_name") == LIE ? "another" : PLUGIN_NAME;
}

unsigned GOMP_OFFLOAD_get_caps(void)
{
  return fault_of("get_caps") == LIE ? 0 : OPENMP;
}

int GOMP_OFFLOAD_get_type(void)
{
  return fault_of("get_type") == LIE ? 77 : PLUGIN_TYPE;
}

int GOMP_OFFLOAD_get_num_devices(void)
{
  const char *devices = getenv("TEST_DEVICES");
  switch (fault_of("get_num_devices")) {
  case FAIL:
    return 0;
  case LIE:
    return -7;
  default:
    return devices ? atoi(devices) : 1;
  }
}

bool GOMP_OFFLOAD_init_device(int device)
{
  log_call("init_device %d", device);
  enum fault fault = fault_of("init_device");
  is_ready[device] = fault == NONE;
  return fault != FAIL;
}

bool GOMP_OFFLOAD_fini_device(int device)
{
  log_call("fini_device %d", device);
  enum fault fault = fault_of("fini_device");
  is_ready[device] = fault != NONE;
  return fault != FAIL;
}

int GOMP_OFFLOAD_load_image(int device, unsigned version, const void *data,
                            struct addresses **result)
{
  log_call("load_image %d %#x", device, version);
  enum fault fault = fault_of("load_image");
  struct host_table host;
  if (fault == FAIL || !is_ready[device] || !host_table_of(data, &host))
    return -1;
  int functions = host.functions_end - host.functions;
  int variables = (host.variables_end - host.variables) / 2;
  struct image *image = GOMP_PLUGIN_malloc_cleared(sizeof *image);
  image->data = data;
  image->device = device;
  image->kernels = GOMP_PLUGIN_malloc((functions + 1) * sizeof *image->kernels);
  image->variables = GOMP_PLUGIN_malloc((variables + 1) * sizeof *image->variables);
  struct addresses *table = GOMP_PLUGIN_malloc(sizeof *table);
  table = GOMP_PLUGIN_realloc(table, (functions + variables + 1) * sizeof *table);
  for (int i = 0; i < functions; i++) {
    image->kernels[i] = (struct kernel){i, (void (*)(void *))host.functions[i]};
    table[i].start = (uintptr_t)&image->kernels[i];
    table[i].end = table[i].start + 1;
  }
  for (int i = 0; i < variables; i++) {
    uintptr_t size = (uintptr_t)host.variables[2 * i + 1];
    size_t bytes = size & LINK_BIT ? sizeof(void *) : size;
    char *copy = image->variables[i] = memory_take(device, bytes);
    if (!(size & LINK_BIT))
      memcpy(copy, host.variables[2 * i], bytes);
    struct addresses *entry = &table[functions + i];
    entry->start = (uintptr_t)copy;
    entry->end = entry->start + bytes + (fault == LIE);
  }
  int *number = image->variables[variables] = memory_take(device, sizeof *number);
  table[functions + variables] = (struct addresses){(uintptr_t)number, (uintptr_t)(number + 1)};
  image->count = variables + 1;
  pthread_mutex_lock(&lock);
  image->next = images;
  images = image;
  pthread_mutex_unlock(&lock);
  *result = table;
  return functions + variables + 1 - 2 * (fault == LIE && !variables);
}

bool GOMP_OFFLOAD_unload_image(int device, unsigned version, const void *data)
{
  log_call("unload_image %d %#x", device, version);
  enum fault fault = fault_of("unload_image");
  if (fault != NONE)
    return fault == LIE;
  pthread_mutex_lock(&lock);
  struct image **place = &images;
  while (*place && ((*place)->data != data || (*place)->device != device))
    place = &(*place)->next;
  struct image *image = *place;
  if (image)
    *place = image->next;
  pthread_mutex_unlock(&lock);
  if (!image)
    return false;
  for (int i = 0; i < image->count; i++)
    memory_give(device, image->variables[i]);
  free(image->variables);
  free(image->kernels);
  free(image);
  return true;
}

void *GOMP_OFFLOAD_alloc(int device, size_t bytes)
{
  log_call("alloc %d %zu", device, bytes);
  enum fault fault = fault_of("alloc");
  if (fault == FAIL || !is_ready[device])
    return NULL;
  char *memory = memory_take(device, bytes);
  return fault == LIE ? memory + 8 : memory;
}

bool GOMP_OFFLOAD_free(int device, void *begin)
{
  log_call("free %d", device);
  enum fault fault = fault_of("free");
  return fault == NONE ? memory_give(device, begin) : fault == LIE;
}

static bool copy(int device, void *to, const void *from, size_t bytes, const char *name)
{
  log_call("%s %d %zu", name, device, bytes);
  bool is_to = !strcmp(name, "host2dev"), is_within = !strcmp(name, "dev2dev");
  enum fault fault = fault_of(name);
  bool has_to = !(is_to || is_within) || memory_has(device, to, bytes);
  bool has_from = is_to || memory_has(device, from, bytes);
  if (fault == FAIL || !has_to || !has_from) {
    log_call("%s refused", name);
    return false;
  }
  memmove(to, from, fault == LIE ? bytes / 2 : bytes);
  return true;
}

bool GOMP_OFFLOAD_host2dev(int device, void *to, const void *from, size_t bytes)
{
  return copy(device, to, from, bytes, "host2dev");
}

bool GOMP_OFFLOAD_dev2host(int device, void *to, const void *from, size_t bytes)
{
  return copy(device, to, from, bytes, "dev2host");
}

bool GOMP_OFFLOAD_dev2dev(int device, void *to, const void *from, size_t bytes)
{
  return copy(device, to, from, bytes, "dev2dev");
}

/* The arguments of a target region: how many teams and threads. */
static void log_run(int device, const struct kernel *kernel, void **arguments)
{
  long teams = 0, threads = 0;
  for (void **next = arguments; next && *next; next++) {
    uintptr_t word = (uintptr_t)*next;
    long value = word & 0x80 ? (long)*++next : (long)word >> 16;
    if ((word & 0xff00) == 0x100)
      teams = value;
    else if ((word & 0xff00) == 0x200)
      threads = value;
  }
  log_call("run %d %d teams %ld threads %ld", device, kernel->index, teams, threads);
}

struct call {
  const struct kernel *kernel;
  void *variables;
  void *completion;
};

static void *perform(void *argument)
{
  struct call call = *(struct call *)argument;
  free(argument);
  if (fault_of("run") != LIE)
    call.kernel->function(call.variables);
  if (call.completion)
    GOMP_PLUGIN_target_task_completion(call.completion);
  return NULL;
}

static pthread_t start(const struct kernel *kernel, void *variables, void *completion)
{
  struct call *call = malloc(sizeof *call);
  pthread_t thread;
  if (!call)
    abort();
  *call = (struct call){kernel, variables, completion};
  if (pthread_create(&thread, NULL, perform, call))
    abort();
  return thread;
}

void GOMP_OFFLOAD_run(int device, void *function, void *variables, void **arguments)
{
  const struct kernel *kernel = function;
  const char *is_on_thread = getenv("TEST_DEVICE_THREAD");
  log_run(device, kernel, arguments);
  if (is_on_thread && atoi(is_on_thread))
    pthread_join(start(kernel, variables, NULL), NULL);
  else if (fault_of("run") != LIE)
    kernel->function(variables);
}

#ifdef WITH_ASYNC
bool GOMP_OFFLOAD_can_run(void *function)
{
  (void)function;
  return fault_of("can_run") == NONE;
}

void GOMP_OFFLOAD_async_run(int device, void *function, void *variables, void **arguments,
                            void *completion)
{
  log_run(device, function, arguments);
  pthread_detach(start(function, variables, completion));
}
#endif
