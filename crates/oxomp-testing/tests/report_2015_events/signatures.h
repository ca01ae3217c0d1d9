/* The events of the 2015 report (appendix A.2) with their kinds, which are the signatures of
 * appendix A.4, and the keys of the arguments in the log. */
#include <ompt.h>

#define ALL_EVENTS(X)                                                                              \
    X(parallel_begin, PARALLEL_BEGIN)                                                              \
    X(parallel_end, PARALLEL_END)                                                                  \
    X(task_begin, TASK_BEGIN)                                                                      \
    X(task_end, TASK)                                                                              \
    X(thread_begin, THREAD_TYPE)                                                                   \
    X(thread_end, THREAD_TYPE)                                                                     \
    X(control, CONTROL)                                                                            \
    X(runtime_shutdown, NOTHING)                                                                   \
    X(idle_begin, THREAD)                                                                          \
    X(idle_end, THREAD)                                                                            \
    X(wait_barrier_begin, PARALLEL)                                                                \
    X(wait_barrier_end, PARALLEL)                                                                  \
    X(wait_taskwait_begin, PARALLEL)                                                               \
    X(wait_taskwait_end, PARALLEL)                                                                 \
    X(wait_taskgroup_begin, PARALLEL)                                                              \
    X(wait_taskgroup_end, PARALLEL)                                                                \
    X(release_lock, WAIT)                                                                          \
    X(release_nest_lock_last, WAIT)                                                                \
    X(release_critical, WAIT)                                                                      \
    X(release_atomic, WAIT)                                                                        \
    X(release_ordered, WAIT)                                                                       \
    X(implicit_task_begin, PARALLEL)                                                               \
    X(implicit_task_end, PARALLEL)                                                                 \
    X(initial_task_begin, TASK)                                                                    \
    X(initial_task_end, TASK)                                                                      \
    X(task_switch, TASK_PAIR)                                                                      \
    X(loop_begin, WORKSHARE_BEGIN)                                                                 \
    X(loop_end, PARALLEL)                                                                          \
    X(sections_begin, WORKSHARE_BEGIN)                                                             \
    X(sections_end, PARALLEL)                                                                      \
    X(single_in_block_begin, WORKSHARE_BEGIN)                                                      \
    X(single_in_block_end, PARALLEL)                                                               \
    X(single_others_begin, PARALLEL)                                                               \
    X(single_others_end, PARALLEL)                                                                 \
    X(workshare_begin, WORKSHARE_BEGIN)                                                            \
    X(workshare_end, PARALLEL)                                                                     \
    X(master_begin, SYNC)                                                                          \
    X(master_end, PARALLEL)                                                                        \
    X(barrier_begin, SYNC)                                                                         \
    X(barrier_end, PARALLEL)                                                                       \
    X(taskwait_begin, SYNC)                                                                        \
    X(taskwait_end, PARALLEL)                                                                      \
    X(taskgroup_begin, SYNC)                                                                       \
    X(taskgroup_end, PARALLEL)                                                                     \
    X(release_nest_lock_prev, WAIT)                                                                \
    X(wait_lock, WAIT)                                                                             \
    X(wait_nest_lock, WAIT)                                                                        \
    X(wait_critical, LOCK)                                                                         \
    X(wait_atomic, ATOMIC)                                                                         \
    X(wait_ordered, WAIT)                                                                          \
    X(acquired_lock, WAIT)                                                                         \
    X(acquired_nest_lock_first, WAIT)                                                              \
    X(acquired_nest_lock_next, WAIT)                                                               \
    X(acquired_critical, WAIT)                                                                     \
    X(acquired_atomic, WAIT)                                                                       \
    X(acquired_ordered, WAIT)                                                                      \
    X(init_lock, LOCK)                                                                             \
    X(init_nest_lock, LOCK)                                                                        \
    X(destroy_lock, WAIT)                                                                          \
    X(destroy_nest_lock, WAIT)                                                                     \
    X(flush, THREAD)                                                                               \
    X(target_task_begin, TARGET_BEGIN)                                                             \
    X(target_task_end, TARGET_END)                                                                 \
    X(target_data_begin, DATA_BEGIN)                                                               \
    X(target_data_end, TASK)                                                                       \
    X(target_data_map_begin, MAP_BEGIN)                                                            \
    X(target_data_map_end, MAP_END)                                                                \
    X(task_dependences, DEPENDENCES)                                                               \
    X(task_dependence_pair, TASK_PAIR)

/* The name of a kind, the letters of its arguments, and their keys. */
#define ALL_KINDS(X)                                                                               \
    X(THREAD, "i", "id")                                                                           \
    X(THREAD_TYPE, "Ti", "type", "id")                                                             \
    X(WAIT, "w", "wait_id")                                                                        \
    X(ATOMIC, "wA", "wait_id", "type")                                                             \
    X(LOCK, "wnL", "wait_id", "hint", "type")                                                      \
    X(SYNC, "ptc", "parallel", "task", "codeptr")                                                  \
    X(WORKSHARE_BEGIN, "ptc", "parallel", "task", "codeptr")                                       \
    X(PARALLEL, "pt", "parallel", "task")                                                          \
    X(PARALLEL_BEGIN, "tfpncI", "parent", "frame", "parallel", "requested", "ofn", "invoker")      \
    X(PARALLEL_END, "ptI", "parallel", "task", "invoker")                                          \
    X(TASK, "t", "task")                                                                           \
    X(TASK_BEGIN, "tftc", "parent", "frame", "task", "ofn")                                        \
    X(TARGET_BEGIN, "tftncG", "parent", "frame", "task", "device", "ofn", "type")                  \
    X(TARGET_END, "t", "task")                                                                     \
    X(DATA_BEGIN, "tnc", "task", "device", "codeptr")                                              \
    X(MAP_BEGIN, "tnnm", "task", "device", "items", "map")                                         \
    X(MAP_END, "nm", "device", "map")                                                              \
    X(DEPENDENCES, "tn", "task", "items")                                                          \
    X(TASK_PAIR, "tt", "first", "second")                                                          \
    X(CONTROL, "nn", "command", "modifier")                                                        \
    X(NOTHING, "", NULL)

#define KIND_NUMBER(kind, letters, ...) KIND_##kind,
enum kind_number { ALL_KINDS(KIND_NUMBER) };

#define EACH_KIND(kind, letters, ...) {{__VA_ARGS__}, letters},
#define EACH_BY_KIND(name, kind) kind(ompt_event_##name, name)
#define EACH_EVENT(name, kind)                                                                     \
    [ompt_event_##name] = {#name, (ompt_callback_t)on_##name, KIND_##kind},

#define ALL_STATES(X)                                                                              \
    X(work_serial)                                                                                 \
    X(work_parallel)                                                                               \
    X(work_reduction)                                                                              \
    X(idle)                                                                                        \
    X(overhead)                                                                                    \
    X(wait_barrier)                                                                                \
    X(wait_barrier_implicit)                                                                       \
    X(wait_barrier_explicit)                                                                       \
    X(wait_taskwait)                                                                               \
    X(wait_taskgroup)                                                                              \
    X(wait_lock)                                                                                   \
    X(wait_nest_lock)                                                                              \
    X(wait_critical)                                                                               \
    X(wait_atomic)                                                                                 \
    X(wait_ordered)                                                                                \
    X(wait_target)                                                                                 \
    X(wait_target_data)                                                                            \
    X(wait_target_update)                                                                          \
    X(undefined)
