//! Writing the log: records in global order, numbers turned to names. The form is in the module's
//! documentation.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;

use ompt::CodePtr;
use ompt::report_2015::{
    DependenceFlags, Event, Initialization, MapFlags, MapId, ParallelId, Registration, TaskId,
    ThreadId, WaitId,
};

use super::entry::{Entry, Frames, Record};
use crate::buffer::Buffers;
use crate::form::graphic;
use crate::modules::Modules;
use crate::names::Appearance;
use crate::output::{self, Logged};

/// The header of a log.
#[derive(Debug)]
pub(crate) struct Header {
    lines: String,
    /// The runtime's answers, once it has given them.
    pub(crate) registration: Option<Registration>,
}

impl Header {
    pub(crate) fn new(initialization: &Initialization) -> Self {
        let entry_points = &initialization.entry_points;
        let runtime = graphic(initialization.runtime_version.to_bytes());
        let mut lines = format!("# recorder 2015\n# runtime {runtime}\n");
        for name in entry_points.missing() {
            lines += &format!("# entry_point_missing {}\n", name.to_string_lossy());
        }
        entry_points.enumerate_states(|state, name| {
            lines += &format!("# state {} {:#x}\n", graphic(name.to_bytes()), state.raw().0);
        });
        entry_points.enumerate_lock_types(|number, name| {
            lines += &format!("# lock_type {} {number}\n", graphic(name.to_bytes()));
        });
        entry_points.enumerate_atomic_types(|number, name| {
            lines += &format!("# atomic_type {} {number}\n", graphic(name.to_bytes()));
        });
        Self { lines, registration: None }
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines)?;
        for (event, result) in self.registration.iter().flat_map(Registration::iter) {
            writeln!(f, "# set_callback {event} {result}")?;
        }
        Ok(())
    }
}

/// Writes header and records to the file, or to stderr.
pub(crate) fn write(
    header: &Header,
    buffers: &Buffers<Record>,
    file: Option<&Path>,
) -> io::Result<()> {
    let mut names = Names::new();
    output::write(header, buffers, file, |text, record, thread| {
        names.write_record(text, record, thread)
    })
}

/// The names of everything that has appeared.
#[derive(Debug)]
struct Names {
    modules: Modules,
    parallels: Appearance<ParallelId>,
    tasks: Appearance<TaskId>,
    waits: Appearance<WaitId>,
    maps: Appearance<MapId>,
    variables: Appearance<u64>,
    /// The thread of each id, and the id of each thread.
    of_ids: HashMap<ThreadId, usize>,
    ids: HashMap<usize, ThreadId>,
}

impl Logged for Record {
    fn sequence(&self) -> u64 {
        self.seq
    }

    fn is_detail(&self) -> bool {
        self.entry.is_detail()
    }
}

impl Names {
    fn new() -> Self {
        Self {
            modules: Modules::loaded(),
            parallels: Appearance::new(),
            tasks: Appearance::new(),
            waits: Appearance::new(),
            maps: Appearance::new(),
            variables: Appearance::new(),
            of_ids: HashMap::new(),
            ids: HashMap::new(),
        }
    }

    fn parallel(&mut self, parallel: Option<ParallelId>) -> String {
        parallel.map_or("zero".into(), |id| format!("p{}", self.parallels.number(id)))
    }

    fn task(&mut self, task: Option<TaskId>) -> String {
        task.map_or("zero".into(), |id| format!("t{}", self.tasks.number(id)))
    }

    fn wait_id(&mut self, wait_id: Option<WaitId>) -> String {
        wait_id.map_or("zero".into(), |id| format!("w{}", self.waits.number(id)))
    }

    fn codeptr(&self, codeptr: CodePtr) -> String {
        match codeptr.is_null() {
            true => "null".into(),
            false => self.modules.describe(codeptr.0),
        }
    }

    /// Whether the id in an event belongs to the calling thread and to no other.
    fn thread_id(
        &mut self,
        thread: usize,
        id: Option<ThreadId>,
        answer: Option<ThreadId>,
    ) -> &'static str {
        let Some(id) = id else { return "zero" };
        let is_own = answer == Some(id)
            && *self.of_ids.entry(id).or_insert(thread) == thread
            && *self.ids.entry(thread).or_insert(id) == id;
        if is_own { "own" } else { "wrong" }
    }

    fn write_record(&mut self, text: &mut String, record: &Record, thread: usize) -> fmt::Result {
        if record.entry.is_detail() {
            text.push('+');
            self.write_detail(text, &record.entry)?;
        } else {
            write!(text, "{} thread={thread}", record.seq)?;
            self.write_event(text, record, thread)?;
            let wait = match record.wait {
                Some(wait) => self.wait_id(Some(wait)),
                None => "-".into(),
            };
            write!(text, " state={} wait={wait} time={}", record.state, record.time)?;
        }
        text.push('\n');
        Ok(())
    }

    fn write_event(&mut self, text: &mut String, record: &Record, thread: usize) -> fmt::Result {
        match record.entry {
            Entry::Thread { event, kind, thread: id } => {
                let id = self.thread_id(thread, id, record.thread);
                write!(text, " {event} type={kind} thread_id={id}")
            }
            Entry::OfThread { event, thread: id } => {
                write!(text, " {event} thread_id={}", self.thread_id(thread, id, record.thread))
            }
            Entry::ParallelBegin { parallel, parent, frames, requested, function, invoker } => {
                write!(text, " parallel_begin parallel={}", self.parallel(parallel))?;
                write!(text, " parent={}", self.task(parent))?;
                write_frames(text, frames)?;
                write!(text, " requested={requested} function={}", self.codeptr(function))?;
                write!(text, " invoker={invoker}")
            }
            Entry::ParallelEnd { parallel, task, invoker } => {
                write!(text, " parallel_end parallel={}", self.parallel(parallel))?;
                write!(text, " task={} invoker={invoker}", self.task(task))
            }
            Entry::TaskBegin { task, parent, frames, function } => {
                write!(text, " task_begin task={} parent={}", self.task(task), self.task(parent))?;
                write_frames(text, frames)?;
                write!(text, " function={}", self.codeptr(function))
            }
            Entry::Task { event, task } => write!(text, " {event} task={}", self.task(task)),
            Entry::Region { event, parallel, task } => {
                write!(text, " {event} parallel={}", self.parallel(parallel))?;
                write!(text, " task={}", self.task(task))
            }
            Entry::Construct { event, parallel, task, codeptr } => {
                write!(text, " {event} parallel={}", self.parallel(parallel))?;
                write!(text, " task={} codeptr={}", self.task(task), self.codeptr(codeptr))
            }
            Entry::Mutex { event, wait_id } => {
                write!(text, " {event} wait_id={}", self.wait_id(wait_id))
            }
            Entry::Lock { event, wait_id, hint, lock_type } => {
                write!(text, " {event} wait_id={}", self.wait_id(wait_id))?;
                write!(text, " hint={hint} type={lock_type}")
            }
            Entry::Atomic { wait_id, atomic_type } => {
                write!(text, " wait_atomic wait_id={}", self.wait_id(wait_id))?;
                write!(text, " type={atomic_type}")
            }
            Entry::Pair { event, first, second } => {
                write!(text, " {event} first={} second={}", self.task(first), self.task(second))
            }
            Entry::Dependences { task, count } => {
                write!(text, " task_dependences task={} count={count}", self.task(task))
            }
            Entry::Control { command, modifier } => {
                write!(text, " control command={command} modifier={modifier}")
            }
            Entry::TargetTaskBegin { task, parent, frames, device, function, kind } => {
                write!(text, " target_task_begin task={}", self.task(task))?;
                write!(text, " parent={}", self.task(parent))?;
                write_frames(text, frames)?;
                write!(text, " device={device} function={}", self.codeptr(function))?;
                write!(text, " type={kind}")
            }
            Entry::TargetDataBegin { task, device, codeptr } => {
                write!(text, " target_data_begin task={} device={device}", self.task(task))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::MapBegin { task, device, map, count } => {
                write!(text, " target_data_map_begin task={} device={device}", self.task(task))?;
                write!(text, " map=m{} count={count}", self.maps.number(map))
            }
            Entry::MapEnd { device, map } => {
                write!(text, " target_data_map_end device={device}")?;
                write!(text, " map=m{}", self.maps.number(map))
            }
            Entry::Shutdown => write!(text, " {}", Event::RUNTIME_SHUTDOWN),
            Entry::Dependence { .. }
            | Entry::MapItem { .. }
            | Entry::ParallelLevel { .. }
            | Entry::TaskLevel { .. } => Ok(()),
        }
    }

    fn write_detail(&mut self, text: &mut String, entry: &Entry) -> fmt::Result {
        match *entry {
            Entry::Dependence { flags, variable } => {
                write!(text, " dependence type={}", dependence(flags))?;
                write!(text, " variable=v{}", self.variables.number(variable))
            }
            Entry::MapItem { flags, bytes } => {
                let is_sync = u8::from(flags.contains(MapFlags::SYNC));
                write!(text, " map type={} sync={is_sync} bytes={bytes}", flags.map_type())
            }
            Entry::ParallelLevel { level, parallel, size } => {
                let size = size.map_or("-1".into(), |size| size.to_string());
                write!(text, " parallel_info level={level}")?;
                write!(text, " parallel={} size={size}", self.parallel(parallel))
            }
            Entry::TaskLevel { level, kind, task, parallel, frames } => {
                write!(text, " task_info level={level} type={kind}")?;
                write!(text, " task={} parallel={}", self.task(task), self.parallel(parallel))?;
                write_frames(text, frames)
            }
            _ => Ok(()),
        }
    }
}

fn dependence(flags: DependenceFlags) -> String {
    match flags {
        DependenceFlags::IN | DependenceFlags::OUT | DependenceFlags::INOUT => flags.to_string(),
        DependenceFlags(other) => format!("{other:#x}"),
    }
}

fn write_frames(text: &mut String, frames: Frames) -> fmt::Result {
    write!(text, " exit_frame={} reenter_frame={}", frame(frames.exit), frame(frames.reenter))
}

fn frame(frame: Option<u64>) -> String {
    frame.map_or("none".into(), |address| format!("set@{address:#x}"))
}
