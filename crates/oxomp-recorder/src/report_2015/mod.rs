//! The recorder as a tool of the 2015 report: the same log, with that interface's events.
//!
//! With `OXOMP_RECORD_INTERFACE=2015` the recorder declines as a tool of OpenMP's interface and
//! runs as a tool of the report; the other variables are the same, and `ompt_control` has the
//! commands that `omp_control_tool` has. `OXOMP_RECORD_EVENTS` has the names of the report's
//! events; default is all of them. A runtime that shuts down and starts again writes the log anew;
//! in a forked child it starts the tool anew, and the child's log has the child's events only. The
//! log begins with `# recorder 2015`, and ends with `runtime_shutdown`.
//!
//! # Form of the log
//!
//! As the log of the other interface, with these lines before the events: `runtime`,
//! `entry_point_missing NAME`, `state NAME NUMBER`, `lock_type NAME NUMBER` and `atomic_type NAME
//! NUMBER` for each that the runtime enumerates (blanks in names as `\x20`), `set_callback EVENT
//! RESULT`.
//!
//! Regions are `p1`, `p2` …, tasks `t1` …, wait ids `w1` …, mappings `m1` …, each by first
//! appearance in the log; `zero` is the number 0. `thread_id` is `own` if `ompt_get_thread_id`
//! returns the same number and no other thread has it; otherwise `zero` or `wrong`. Frames are
//! `none` or `set@0xADDRESS`.
//!
//! | events | keys |
//! |---|---|
//! | `thread_begin`, `thread_end` | `type thread_id` |
//! | `idle_begin`, `idle_end`, `flush` | `thread_id` |
//! | `parallel_begin` | `parallel parent exit_frame reenter_frame requested function invoker` |
//! | `parallel_end` | `parallel task invoker` |
//! | `task_begin` | `task parent exit_frame reenter_frame function` |
//! | `task_end`, `initial_task_…`, `target_task_end`, `target_data_end` | `task` |
//! | begins of worksharing, master, barrier, taskwait and taskgroup | `parallel task codeptr` |
//! | their ends, both of `single_others`, `implicit_task`, and of waits | `parallel task` |
//! | `release_…`, `acquired_…`, `destroy_…`, `wait_lock`, `wait_nest_lock`, `wait_ordered` |
//! | | `wait_id` |
//! | `init_…`, `wait_critical` | `wait_id hint type` |
//! | `wait_atomic` | `wait_id type` |
//! | `task_switch`, `task_dependence_pair` | `first second` |
//! | `task_dependences` | `task count`; a detail `dependence type variable` for each |
//! | `control` | `command modifier` |
//! | `target_task_begin` | `task parent exit_frame reenter_frame device function type` |
//! | `target_data_begin` | `task device codeptr` |
//! | `target_data_map_begin` | `task device map count`; a detail `map type sync bytes` for each |
//! | `target_data_map_end` | `device map` |
//! | `runtime_shutdown` | |
//!
//! Keys that the other interface has mean the same as there. The others, and those whose meaning
//! differs:
//!
//! | key | meaning |
//! |---|---|
//! | `bytes` | size of the mapped item, in bytes |
//! | `command`, `modifier` | arguments of `ompt_control`, numbers without sign |
//! | `count` | how many details follow |
//! | `exit_frame`, `reenter_frame` | two addresses of the frame of the parent, in `task_info` of |
//! | | the task |
//! | `first`, `second` | `task_switch`: task that is suspended, task that starts or resumes; |
//! | | `task_dependence_pair`: task that must complete first, task that waits |
//! | `function` | code address of the outlined function |
//! | `invoker` | caller of the region's code on the encountering thread |
//! | `map` | mapping |
//! | `parent` | task that met the construct |
//! | `requested` | threads that the program asked for |
//! | `size` | threads of the team, -1 if the runtime does not tell |
//! | `sync` | 1 if the runtime maps the item before it goes on, else 0 |
//! | `task` | task that the event is about; `parallel_end`: the task that met the construct |
//! | `thread_id` | the runtime's number of the thread |
//! | `type` | kind of thread, of task, of target construct, of dependence or of mapping; of a |
//! | | lock or an atomic region the number of its implementation |
//!
//! Below `parallel_begin`, `parallel_end`, `implicit_task_begin` and `control` stand the answers of
//! the entry points, for levels from 0 up to the first without an answer, at most 8:
//!
//! - `+ parallel_info level=0 parallel=p2 size=2`
//! - `+ task_info level=0 type=implicit task=t2 parallel=p2 exit_frame=none reenter_frame=none`

mod header;
mod recorder;

pub(crate) use recorder::Recorder;
