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
//! `none` or `set@0xADDRESS`; `function` is the address of an outlined function.
//!
//! The keys of an event are those that the methods of `recorder.rs` give `values!`.
//!
//! Below `parallel_begin`, `parallel_end`, `implicit_task_begin` and `control` stand the answers of
//! the entry points, for levels from 0 up to the first without an answer, at most 8:
//!
//! - `+ parallel_info level=0 parallel=p2 size=2`
//! - `+ task_info level=0 type=implicit task=t2 parallel=p2 exit_frame=none reenter_frame=none`

mod header;
mod recorder;

pub(crate) use recorder::Recorder;
