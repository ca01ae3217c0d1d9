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
//! Tokens are separated by one blank and contain none; keys stand in the order of the tables below,
//! which is the order in which the event's method in `recorder.rs` gives them to `values!`, all of
//! them always.
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
//! | event | keys |
//! |---|---|
//! | `thread_begin` | `type` |
//! | `thread_end` | `thread_data` |
//! | `parallel_begin` | `parallel encountering_task exit_frame enter_frame` |
//! | | `requested flags codeptr` |
//! | `parallel_end` | `parallel encountering_task flags codeptr` |
//! | `implicit_task` | `endpoint parallel task parallelism index flags` |
//! | `work` | `type endpoint parallel task count codeptr` |
//! | `dispatch` | `kind parallel task instance` |
//! | `sync_region`, `sync_region_wait`, `reduction` | `kind endpoint parallel task codeptr` |
//! | `masked` | `endpoint parallel task codeptr` |
//! | `mutex_acquire`, `lock_init` | `kind hint impl wait_id codeptr` |
//! | `mutex_acquired`, `mutex_released`, `lock_destroy` | `kind wait_id codeptr` |
//! | `nest_lock` | `endpoint wait_id codeptr` |
//! | `flush` | `thread_data codeptr` |
//! | `task_create` | `task encountering_task exit_frame enter_frame` |
//! | | `flags has_dependences codeptr` |
//! | `task_schedule` | `prior status next` |
//! | `dependences` | `task count`; a detail `dependence type variable` for each |
//! | `task_dependence` | `source sink` |
//! | `cancel` | `task flags codeptr` |
//! | `error` | `severity length codeptr message` |
//! | `target_emi` | `kind endpoint device task target_task codeptr` |
//! | `target_data_op_emi` | `endpoint target_task kind src dest bytes codeptr` |
//! | `target_submit_emi` | `endpoint teams` |
//! | `device_initialize`, `device_finalize`, `device_load` | `device` |
//! | `control_tool` | `command modifier arg codeptr` |
//!
//! `target`, `target_data_op` and `target_submit`, which the `_emi` events replace, are registered
//! only if they are named. They lack `target_task`, and all but `target` lack `endpoint`.
//!
//! Numbers are decimal unless the table says otherwise.
//!
//! | key | meaning |
//! |---|---|
//! | `arg` | third argument of `omp_control_tool`, a hexadecimal address or `null` |
//! | `bytes` | size of the memory of a data operation, in bytes |
//! | `codeptr` | code address: where the construct is, or the program's call of a routine |
//! | `command`, `modifier` | first two arguments of `omp_control_tool`, numbers without sign |
//! | `count` | `work`: iterations of the whole loop, sections, or units of work; may be 0 at the |
//! | | end; `dependences`: how many details follow |
//! | `device` | number of the device |
//! | `encountering_task` | task that met the construct |
//! | `endpoint` | `begin`, `end` or `beginend` |
//! | `enter_frame`, `exit_frame` | two addresses of the frame of the encountering task, in |
//! | | `task_info` of the task |
//! | `flags` | flags of the region, task or cancellation |
//! | `has_dependences` | 1 if the task has dependences, else 0 |
//! | `hint` | program's hint, the number of an `omp_sync_hint_t` |
//! | `impl` | runtime's number of the mutex's implementation |
//! | `index` | number of the thread in the team, or of the team in the league; 1 for an initial |
//! | | task |
//! | `instance` | an iteration's number, a section's code address, or a chunk as |
//! | | `start+iterations`: its first iteration and how many it has |
//! | `kind` | kind of mutex, of synchronization, of dispatched work, of target construct or of |
//! | | data operation |
//! | `length` | length of the whole message in bytes |
//! | `level` | nesting level of the region or task, from 0, the innermost |
//! | `message` | first 64 bytes of the message, all but graphic ASCII as `\xNN` |
//! | `parallel` | region: the new or ending one, otherwise that of the task |
//! | `parallelism` | begin: threads of the team, or teams of the league; end: 0 |
//! | `prior`, `next` | task that stops, completes or is fulfilled; task that starts or resumes |
//! | `requested` | threads or teams that the program asked for |
//! | `result` | the entry point's answer: 2 with a description, 1 without |
//! | `severity` | severity of the directive |
//! | `size` | threads of the team |
//! | `source`, `sink` | task that must complete first; task that waits for it |
//! | `src`, `dest` | `set` or `null` for the address, `@`, and the number of the device |
//! | `status` | reason for the event: what has become of the prior task |
//! | `target_task` | target task of the construct |
//! | `task` | task: the new one, otherwise the one that the event is about |
//! | `teams` | teams that the program asked for |
//! | `thread_data` | `ok` if the thread's word is the one of its begin, else `null` or `wrong` |
//! | `thread_num` | number of the thread in the team |
//! | `type` | kind of thread, of worksharing or of dependence |
//! | `variable` | dependence variable; for `source` and `sink` a number, an element of the |
//! | | iteration vector |
//! | `wait_id` | wait id of the mutex |
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
