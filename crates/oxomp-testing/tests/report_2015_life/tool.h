/* What a tool of the 2015 report and its program share. */
#include <ompt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A line on stdout, at once and in one piece. */
static inline void say(const char *format, ...) {
    char line[200];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    line[length++] = '\n';
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(99);
}

/* The entry points of the tool in the program, for the program; null before its initializer. */
extern ompt_set_callback_t set_callback;
extern ompt_get_callback_t get_callback;
extern ompt_get_thread_id_t get_thread_id;
extern ompt_get_state_t get_state;
extern ompt_get_task_info_t get_task_info;
