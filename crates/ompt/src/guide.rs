//! OMPT for authors of tools: what a tool is, what it sees, and what it may rely on.
//!
//! The interface is part of OpenMP since 5.0 (chapter 4 there, chapters 32 to 37 of 6.0). This page
//! says how it works; the types say what each value means.
//!
//! # A tool, and how a runtime finds it
//!
//! A tool is a function, `ompt_start_tool`, which [`ompt_tool!`](crate::ompt_tool) exports. When an
//! OpenMP runtime starts, it looks for the function in the program and in the libraries that the
//! program has loaded; if the function is missing, or declines, the runtime looks in each library
//! that the variable `OMP_TOOL_LIBRARIES` lists. The first tool that accepts runs; a process has
//! one tool. `OMP_TOOL=disabled` stops the search, and `OMP_TOOL_VERBOSE_INIT=stderr` makes the
//! runtime say what it did.
//!
//! 1. [`Tool::wanted`]: the runtime asks, before it is ready. Read settings here, nothing more.
//! 2. [`Tool::initialize`]: the runtime is ready, and no event has happened. The tool gets the
//!    [`EntryPoints`] and makes itself; `None` declines.
//! 3. The SDK registers the events of the methods, and [`Tool::registered`] gets the answers. A
//!    runtime may deliver an event [`Always`](SetResult::Always),
//!    [`Sometimes`](SetResult::Sometimes) or [`Never`](SetResult::Never), with or without pairs of
//!    begin and end; [`Registration::refused`] and [`Registration::partial`] sum that up. Some
//!    answers depend on the compiler: gcc calls no runtime where it begins a static loop.
//! 4. Events: methods are called on the threads where they happen.
//! 5. [`Tool::finalize`], after the last event: at the end of the process, when the program shuts
//!    the runtime down, or when the tool calls [`EntryPoints::end_tool`]. A program that calls
//!    `_exit` or is killed ends without this call.
//!
//! A forked child has the parent's tool. Its runtime may start the tool anew, with a new value; a
//! runtime that was shut down may do so, too. While one runtime of a process has the tool, any
//! other runtime is told that the process has no tool.
//!
//! # The events of a parallel region
//!
//! The program's first thread, before anything else: [`thread_begin`](Tool::thread_begin)
//! (initial), [`implicit_task`](Tool::implicit_task) begin (initial). Then, for a region of two
//! threads:
//!
//! ```text
//! the thread that met the construct           a worker
//! parallel_begin
//! implicit_task begin, index 0                thread_begin, if it is new
//!   ... the region's code ...                 implicit_task begin, index 1
//! sync_region begin                             ... the region's code ...
//!   sync_region_wait begin                    sync_region begin
//!   sync_region_wait end                        sync_region_wait begin
//! sync_region end                               sync_region_wait end
//! implicit_task end                           sync_region end
//! parallel_end                                implicit_task end
//! ```
//!
//! - `parallel_begin` comes before every `implicit_task` of the region, and `parallel_end` after
//!   the end of the encountering thread's `implicit_task`. **A worker's last events may come
//!   later**: libomp reports them when the worker gets its next work. These events have no word of
//!   the region, which may be gone.
//! - A region that one thread executes (`if(0)`, too deep a nest) is reported like any other.
//! - `teams` is a region too: its flags have `league`, its members are initial tasks, and the index
//!   is the team's number.
//!
//! Inside, each construct has its events: [`work`](Tool::work) for worksharing and taskloop
//! regions, with [`dispatch`](Tool::dispatch) for each chunk or section;
//! [`sync_region`](Tool::sync_region) around barriers, taskwaits and the ends of taskgroups, and
//! [`sync_region_wait`](Tool::sync_region_wait) around the waiting in them;
//! [`mutex_acquire`](Tool::mutex_acquire), [`mutex_acquired`](Tool::mutex_acquired) and
//! [`mutex_released`](Tool::mutex_released) for locks, critical, ordered and atomic regions, with
//! one [`WaitId`] for one mutex; [`masked`](Tool::masked), [`reduction`](Tool::reduction),
//! [`flush`](Tool::flush), [`cancel`](Tool::cancel), [`error`](Tool::error).
//!
//! # Tasks
//!
//! [`task_create`](Tool::task_create) reports explicit tasks, and the tasks of target constructs
//! and of taskwait constructs with dependences; then [`dependences`](Tool::dependences) reports
//! what they depend on. From then on [`task_schedule`](Tool::task_schedule) reports each switch of
//! a thread: `prior` stops, `next` starts or resumes, and the [`TaskStatus`] says what has become
//! of `prior`. The end of a task has no event of its own: the task has ended with `Complete`,
//! `Cancel` and `LateFulfill`, and with a `cancel` event whose flags have `discarded_task`. A
//! merged task has no switches.
//!
//! # Target constructs and devices
//!
//! A construct that a device executes has [`target_emi`](Tool::target_emi) around it on the thread
//! that met it, or on the thread that executes its target task. Inside come
//! [`target_map_emi`](Tool::target_map_emi) for the variables,
//! [`target_data_op_emi`](Tool::target_data_op_emi) with begin and end for each allocation, copy
//! and release, and [`target_submit_emi`](Tool::target_submit_emi) around the submission of the
//! kernel. Each event has a form of OpenMP 5.0 without `emi`, whose ids are the runtime's: choose
//! one form of each event, for a runtime may refuse both at once. With the newer form, the words of
//! the region and of the operation are the tool's, and come back in the records of a trace.
//!
//! [`device_initialize`](Tool::device_initialize) comes before anything happens on a device, and
//! brings the [`Device`]; [`device_load`](Tool::device_load) and
//! [`device_unload`](Tool::device_unload) tell of code, and
//! [`device_finalize`](Tool::device_finalize) is the last event of a device.
//!
//! # Traces of devices
//!
//! The events above happen on the host. What happened on the device itself, and when by the
//! device's own clock, is in its trace, if the device has a trace:
//!
//! 1. In [`device_initialize`](Tool::device_initialize), ask the device:
//!    [`can_trace`](Device::can_trace).
//! 2. Choose what it records: the arguments of events, with
//!    [`record_events`](Device::record_events), and operations in its own words, with
//!    [`record_native`](Device::record_native). The answers say what it cannot record.
//! 3. [`start_trace`](Device::start_trace). The SDK gives the device buffers, and takes them back.
//! 4. [`Tool::trace_records`] gets the records of one buffer after the other, on a thread of the
//!    runtime. A kernel or a data operation is one record, with begin and end;
//!    [`translate_time`](Device::translate_time) converts both to seconds of the host's clock. The
//!    ids in a record are the words that the tool has stored in the events of the same operation.
//! 5. [`flush_trace`](Device::flush_trace) brings what was recorded so far, and
//!    [`stop_trace`](Device::stop_trace) ends the trace. A tool that calls neither gets all records
//!    before [`device_finalize`](Tool::device_finalize).
//!
//! The module [`trace`] has a whole tool, and says what may be called on which thread.
//!
//! # Data of the tool
//!
//! The runtime keeps a word for each thread, region and task, which is the tool's; it starts as 0.
//!
//! **Words.** A tool with the model [`Raw`] sees them as [`DataWord`]s, and numbers objects, or
//! keeps addresses in them, at its own risk. Any word may be missing.
//!
//! **Values.** A tool with the model [`Typed`] names types in [`Data`], and sees values of them:
//!
//! ```
//! use std::cell::Cell;
//! use std::time::{Duration, Instant};
//!
//! use ompt::{Data, EntryPoints, Initialization, SyncRegion, ThreadBegin, Tool, Typed};
//!
//! /// How long a thread has waited. Only that thread sees it, so a `Cell` will do.
//! #[derive(Default)]
//! struct Waited {
//!     since: Cell<Option<Instant>>,
//!     total: Cell<Duration>,
//! }
//!
//! struct Waits {
//!     entry_points: EntryPoints<Typed<Self>>,
//! }
//!
//! #[ompt::tool]
//! impl Data for Waits {
//!     type Thread = Waited;
//!
//!     fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> Waited {
//!         Waited::default()
//!     }
//!
//!     fn end_thread(&self, thread: Waited) {
//!         eprintln!("a thread waited {:?}", thread.total.get());
//!     }
//! }
//!
//! #[ompt::tool]
//! impl Tool for Waits {
//!     type Model = Typed<Self>;
//!
//!     fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
//!         Some(Self { entry_points: initialization.entry_points })
//!     }
//!
//!     fn sync_region_wait(&self, _: &SyncRegion<'_, Typed<Self>>) {
//!         self.entry_points.thread_data(|thread| match thread.since.take() {
//!             None => thread.since.set(Some(Instant::now())),
//!             Some(since) => thread.total.set(thread.total.get() + since.elapsed()),
//!         });
//!     }
//! }
//!
//! ompt::ompt_tool!(Waits);
//! # fn main() {}
//! ```
//!
//! A region's data are shared by its team, and stay until the last worker has reported its end: a
//! late worker still sees them, when the runtime has no word any more. [`Data`] says which threads
//! share what.
//!
//! # Threads, states, frames: the entry points
//!
//! [`EntryPoints`] answer at any time about the calling thread: its data, its [`State`] and the
//! mutex that it waits for, the regions and tasks around it, its place. The state is what the
//! thread is doing as seen by OpenMP; while it waits for a mutex,
//! [`state_and_wait_id`](EntryPoints::state_and_wait_id) says for which mutex.
//!
//! A [`Frame`] says where a task's stack frames and the runtime's meet: `exit` is the frame by
//! which the runtime entered the task's code, `enter` the task's frame that called the runtime. A
//! sampler that unwinds the stack drops the runtime's frames between one task's `enter` and the
//! `exit` of the task above, and joins a worker's stack to that of the encountering thread.
//!
//! | `enter` | `exit` | the task |
//! |---|---|---|
//! | none | none | is the initial one in the program's code, or has not started |
//! | none | set | runs its own code |
//! | set | none | is the initial one, inside the runtime |
//! | set | set | is inside the runtime, or another task runs on top of it |
//!
//! # Sampling
//!
//! The entry points marked *signal-safe* may be called in a signal handler, on a thread between its
//! `thread_begin` and `thread_end`. The handler may interrupt the runtime and the tool anywhere:
//! a frame may be half written, the region may be about to change. Data that a handler reads are
//! shared with the code that it interrupts, so they must be atomic. The handler itself is code of
//! yours, and `unsafe`: it must not allocate, lock or print.
//!
//! ```no_run
//! use std::sync::OnceLock;
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use ompt::{EntryPoints, Initialization, State, ThreadBegin, Tool};
//!
//! static ENTRY_POINTS: OnceLock<EntryPoints> = OnceLock::new();
//! static SAMPLES: AtomicU64 = AtomicU64::new(0);
//! static WAITING: AtomicU64 = AtomicU64::new(0);
//!
//! extern "C" fn on_signal(_: libc::c_int) {
//!     if let Some(entry_points) = ENTRY_POINTS.get() {
//!         SAMPLES.fetch_add(1, Ordering::Relaxed);
//!         if matches!(entry_points.state(), State::WaitLock | State::WaitCritical) {
//!             WAITING.fetch_add(1, Ordering::Relaxed);
//!         }
//!     }
//! }
//!
//! struct Sampler;
//!
//! #[ompt::tool]
//! impl Tool for Sampler {
//!     fn initialize(initialization: &Initialization) -> Option<Self> {
//!         ENTRY_POINTS.set(initialization.entry_points).ok()?;
//!         // SAFETY: the handler only calls signal-safe entry points and adds to atomics.
//!         unsafe { libc::signal(libc::SIGPROF, on_signal as *const () as libc::sighandler_t) };
//!         Some(Self)
//!     }
//!
//!     fn thread_begin(&self, _: &ThreadBegin<'_>) {
//!         // Start a timer of this thread here (timer_create with SIGEV_THREAD_ID).
//!     }
//! }
//!
//! ompt::ompt_tool!(Sampler);
//! # fn main() {}
//! ```
//!
//! # Choosing events, and changing the choice
//!
//! By default the events of all methods are registered. [`Tool::events`] may name fewer, by a
//! setting; [`register`] and [`unregister`] change the choice while the program runs. Not every
//! runtime allows that outside `initialize`: the answer is a [`SetResult`].
//!
//! ```
//! use ompt::{Event, EventSet, Flush, Initialization, ParallelBegin, Tool};
//!
//! struct Chosen;
//!
//! #[ompt::tool]
//! impl Tool for Chosen {
//!     fn initialize(_: &Initialization) -> Option<Self> {
//!         Some(Self)
//!     }
//!
//!     fn events(&self) -> EventSet {
//!         match std::env::var_os("WITH_FLUSHES") {
//!             Some(_) => Self::METHODS,
//!             None => Self::METHODS.without(EventSet::of(&[Event::FLUSH])),
//!         }
//!     }
//!
//!     fn parallel_begin(&self, _: &ParallelBegin<'_>) {}
//!
//!     fn flush(&self, _: &Flush<'_>) {}
//! }
//!
//! let both = EventSet::of(&[Event::PARALLEL_BEGIN, Event::FLUSH]);
//! assert_eq!(Chosen::METHODS, both);
//! ```
//!
//! # The program speaks to the tool
//!
//! `omp_control_tool(command, modifier, arg)` calls [`Tool::control_tool`]: the commands start,
//! pause, flush and end have a meaning for every tool; commands from 64 on are the tool's own. The
//! result goes back to the program.
//!
//! # What differs between runtimes
//!
//! - libomp 19 to 22 and libiomp5 report workers' ends of a region late; answer `always` for events
//!   that they deliver for some constructs only; report a region inside each team of `teams` on its
//!   primary thread; may have no code address, or one of the runtime's own code.
//! - Devices belong to a second library, libomptarget. The devices of LLVM's libomptarget 19 and 22
//!   cannot be traced; the devices of oxomp's libomptarget can, on oxomp's runtime and on LLVM's.
//! - libgomp has no OMPT. oxomp has it for programs of gcc, too, as far as gcc's calls tell of
//!   events.
//! - oxomp reports a worker's end when it happens, and answers `sometimes` where a compiler makes
//!   no call.
//! - Values newer than this crate are `Unknown`, and print as numbers.
//!
//! # Tools of the 2015 report
//!
//! OMPT's predecessor, which a technical report of 2015 defines, has 69 events where OpenMP has 37
//! callbacks: one for each begin and each end. It tells a tool more in some places: threads become
//! idle and get work, a thread begins to wait for a mutex only when it does wait, and the begin of
//! a region or task names the outlined function. It has no data words: threads, regions and tasks
//! are numbers, which are unique in a run. oxomp serves such tools; [`report_2015`] is the SDK for
//! them, built like the rest: a trait with a method per event, an attribute, a macro that exports
//! the tool.
//!
//! ```
//! use ompt::report_2015::{
//!     EntryPoints, Initialization, Mutex, Region, Registration, SetResult, State, Tool,
//! };
//!
//! /// Which thread keeps the others waiting.
//! struct Blame {
//!     entry_points: EntryPoints,
//! }
//!
//! #[ompt::report_2015::tool]
//! impl Tool for Blame {
//!     fn initialize(initialization: &Initialization) -> Option<Self> {
//!         Some(Self { entry_points: initialization.entry_points })
//!     }
//!
//!     fn registered(&self, registration: &Registration) {
//!         for (event, result) in registration.iter().filter(|(_, r)| *r != SetResult::Always) {
//!             eprintln!("{event}: {result}");
//!         }
//!     }
//!
//!     /// Beginning and end of a wait are registered together, whichever has a method.
//!     fn wait_barrier_begin(&self, event: &Region) {
//!         let size = self.entry_points.team_size(0);
//!         eprintln!("task {:?} waits for its team of {size:?}", event.task);
//!     }
//!
//!     /// The owner has released a mutex; a sampler has noted the threads that waited for it.
//!     fn release_critical(&self, event: &Mutex) {
//!         assert_ne!(self.entry_points.state(), State::WaitCritical);
//!         eprintln!("{:?} kept those waiting for {:?}", self.entry_points.thread_id(), event.wait_id);
//!     }
//! }
//!
//! ompt::report_2015::ompt_tool!(Blame);
//! # fn main() {}
//! ```
//!
//! A program speaks to such a tool with `ompt_control(command, modifier)`; on oxomp a call of
//! `omp_control_tool` reaches it too.
//!
//! # Rules
//!
//! - A callback may neither call OpenMP routines nor use directives.
//! - A callback may be interrupted by another callback of the same thread only through what it
//!   calls itself; still, hold no `RefCell` borrow and no lock while calling
//!   [`EntryPoints::end_tool`], which calls [`Tool::finalize`] on the same thread.
//! - A panic in a callback ends the process.
//! - Methods run on all threads at once. Keep what they write apart: data per thread first, atomics
//!   next, locks last.
//! - [`Tool::finalize`] may find other threads inside methods, when the tool ends itself.

#[cfg(doc)]
use crate::{
    Data, DataWord, Device, EntryPoints, Frame, Raw, Registration, SetResult, State, TaskStatus,
    Tool, Typed, WaitId, register, report_2015, trace, unregister,
};
