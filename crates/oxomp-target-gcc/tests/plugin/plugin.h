/* The interface between libgomp and its plug-ins, as libgomp 12 has it, and what the files of the
   test plug-in share. */
#ifndef TEST_PLUGIN_H
#define TEST_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What GOMP_OFFLOAD_get_type and the registration of images call a device. */
#ifndef PLUGIN_TYPE
#define PLUGIN_TYPE 5
#endif
#ifndef PLUGIN_NAME
#define PLUGIN_NAME "nvptx"
#endif
#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION 1
#endif

struct addresses {
  uintptr_t start, end;
};

void *GOMP_PLUGIN_malloc(size_t);
void *GOMP_PLUGIN_malloc_cleared(size_t);
void *GOMP_PLUGIN_realloc(void *, size_t);
void GOMP_PLUGIN_debug(int, const char *, ...);
void GOMP_PLUGIN_error(const char *, ...);
void GOMP_PLUGIN_fatal(const char *, ...) __attribute__((noreturn));
void GOMP_PLUGIN_target_task_completion(void *);
void *GOMP_PLUGIN_goacc_thread(void);
void *GOMP_PLUGIN_acc_thread(void);
int GOMP_PLUGIN_acc_default_dim(unsigned);

/* log.c: appends a line to the file TEST_DEVICE_LOG, if there is one. */
void log_call(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* fault.c: what TEST_DEVICE_FAULTS demands of this call of a function. A delay is over, and a fatal
   error has ended the program, when the answer comes. */
enum fault { NONE, FAIL, LIE };
enum fault fault_of(const char *function);

/* memory.c: the memory of a device, apart from that of the program. */
void *memory_take(int device, size_t bytes);
bool memory_give(int device, void *begin);
bool memory_has(int device, const void *begin, size_t bytes);

/* host.c: the table of functions and variables of the object that has registered an image. */
struct host_table {
  void **functions, **functions_end, **variables, **variables_end;
};
bool host_table_of(const void *image, struct host_table *table);

#endif
