/* Programs whose threads must wait for each other: the tool counts the events that tell of a wait,
 * so a thread can hold a mutex until another one waits for it. */
#include <unistd.h>

/* The tool has it. */
extern unsigned recorded_waits(void) __attribute__((weak));

/* Returns when `count` waits for mutexes have been told of; after half a minute in any case. */
static inline void until_waits(unsigned count) {
    for (int i = 0; i < 30000 && recorded_waits && recorded_waits() < count; i++)
        usleep(1000);
}

/* The tool has it: how many threads idle. */
extern int recorded_idle(void) __attribute__((weak));

/* Returns when so many threads idle; after half a minute in any case. */
static inline void until_idle(int count) {
    for (int i = 0; i < 30000 && recorded_idle && recorded_idle() < count; i++)
        usleep(1000);
}
