//! The recorder: an OMPT tool that writes every event of the host, and those of devices, as a line
//! of text, in global order, for tests to compare.
//!
//! It is written on the SDK alone and runs on every OMPT runtime:
//!
//! ```text
//! OMP_TOOL_LIBRARIES=.../liboxomp_recorder.so OXOMP_RECORD=/tmp/log ./program
//! ```
//!
//! - `OXOMP_RECORD`: file of the log; `%p` becomes the process id; default is stderr. A forked
//!   child writes `FILE.PID` if `%p` is not named; its log starts with the parent's events if the
//!   runtime does not start the tool anew.
//! - `OXOMP_RECORD_EVENTS`: the events to register, separated by commas; default is all of the
//!   host, and those of devices.
//! - `OXOMP_RECORD_CAPACITY`: records per thread, default 262144.
//! - `OXOMP_RECORD_INTERFACE`: `2015` for the interface of the 2015 report, whose events have
//!   another form of log (module `report_2015`).
//!
//! The log is written when the runtime finalizes the tool, and when the program calls
//! `omp_control_tool(omp_control_tool_flush, …)`: a file then holds everything so far, and is
//! written anew the next time; on stderr a flush is ignored. `omp_control_tool_pause` stops
//! recording, `…_start` goes on, `…_end` writes and stops for good. A command from 64 on is a
//! probe: it records the state, the tasks and the regions around the program's call.
//!
//! # Form of the log
//!
//! Tokens are separated by one blank and contain none; keys stand in the order of the table of
//! events, all of them always.
//!
//! - Lines that start with `# `: first `recorder 1` (the version of this form), `runtime`,
//!   `omp_version`, `initial_device`, `entry_point_missing NAME` for each that the runtime lacks,
//!   `set_callback EVENT RESULT` for each registered event; at the end `end events=N dropped=N`.
//!   A log without it was cut off; `dropped` counts records that found their thread's buffer full.
//! - Events: `SEQ thread=N EVENT KEYS… state=S wait=W time=T`. `SEQ` grows strictly, with gaps.
//!   Threads are numbered from 0 by their first event. `state` is `ompt_get_state`'s answer inside
//!   the callback, `wait` its wait id or `-`, `time` in ns since the start of the tool.
//! - Lines that start with `+ `: details of the event above.
//!
//! Regions are `p1`, `p2` …, tasks `t1` …, wait ids `w1` …, dependence variables `v1` …, each by
//! first appearance in the log; the words behind them are the tool's data words. `null` is a null
//! pointer, `zero` a word that no begin announced, `bad:0x…` a word that is not this tool's or
//! belongs to another kind of object. `dirty=0x…` follows the keys of a begin whose new object's
//! word was not 0. An object whose begin is not registered is `zero`, a thread's word then `wrong`.
//!
//! Code addresses are `module+0xADDRESS`, the address being the one in the file; frames are `none`
//! or `set:OWNER,KIND@0xADDRESS`. Enumerations and flags have the specification's names without
//! prefix, flags separated by commas, `0` without any.
//!
//! The tables of each event's keys, and of their meaning, are at the top of `recorder.rs`.
//!
//! Below `parallel_begin`, `parallel_end`, the begin of `implicit_task` and `control_tool` stand
//! the answers of the entry points, for levels from 0 up to the first result 0, at most 8:
//!
//! - `+ parallel_info level=0 result=2 parallel=p2 size=2`
//! - `+ task_info level=0 result=2 task=t2 flags=implicit parallel=p2 thread_num=0 exit_frame=none
//!   enter_frame=none`, on one line
//!
//! With result 1 the line has only `level` and `result`.
//!
//! # How it keeps out of the way
//!
//! A thread writes fixed-size records into a buffer of its own; a sequence number from one atomic
//! counter gives the global order. Nothing is formatted before the log is written, and no lock is
//! taken in a callback.

mod buffer;
mod form;
mod header;
mod ids;
mod levels;
mod modules;
mod names;
mod output;
mod record;
mod recorder;
mod recording;
mod report_2015;
mod settings;
mod value;

ompt::ompt_tool!(recorder::Recorder);
ompt::report_2015::ompt_tool!(report_2015::Recorder);
