/* What a library with OpenMP inside offers to programs without. */
#ifndef PART_H
#define PART_H

struct part {
    /* Runs a region of so many threads and notes their native numbers, by thread number. */
    int (*team)(int size, int *natives);
    /* In a region of so many threads each adds one so often, under the lock at `lock`. */
    void (*count)(void *lock, long *counter, int size, int times);
    void (*init_lock)(void *lock);
    void (*set_lock)(void *lock);
    void (*unset_lock)(void *lock);
    /* Calls `inside` on each thread of a region. */
    void (*each)(int size, void (*inside)(void *), void *argument);
    int (*thread_num)(void);
    int (*num_threads)(void);
    int (*level)(void);
    void (*set_num_threads)(int);
    int (*max_threads)(void);
    /* An address in the runtime that serves it. */
    void *(*runtime)(void);
};

#endif
