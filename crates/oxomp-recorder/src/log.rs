//! Writing the log: records in global order, numbers turned to names. The form is in the crate's
//! documentation.

use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;

use ompt::{Initialization, Registration, State, WaitId};

use crate::buffer::Buffers;
use crate::entry::{AcquireEvent, Entry, Frames, MESSAGE_LEN, MutexEvent, Record, SyncEvent};
use crate::form::{cancel_flags, frame, graphic, named, parallel_flags, task_flags, thread_word};
use crate::ids::Announced;
use crate::names::Names;
use crate::output::{self, Logged};

/// The header of a log.
#[derive(Debug)]
pub(crate) struct Header {
    runtime: String,
    omp_version: u32,
    initial_device: i32,
    missing: Vec<String>,
    /// The runtime's answers, once it has given them.
    pub(crate) registration: Option<Registration>,
}

impl Header {
    pub(crate) fn new(initialization: &Initialization) -> Self {
        Self {
            runtime: graphic(initialization.runtime.version.to_bytes()),
            omp_version: initialization.runtime.omp_version,
            initial_device: initialization.initial_device_num,
            missing: initialization
                .entry_points
                .missing()
                .map(|name| name.to_string_lossy().into_owned())
                .collect(),
            registration: None,
        }
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# recorder 1")?;
        writeln!(f, "# runtime {}", self.runtime)?;
        writeln!(f, "# omp_version {}", self.omp_version)?;
        writeln!(f, "# initial_device {}", self.initial_device)?;
        for name in &self.missing {
            writeln!(f, "# entry_point_missing {name}")?;
        }
        for (event, result) in self.registration.iter().flat_map(Registration::iter) {
            let result = named(result.name(), result.raw().0);
            writeln!(f, "# set_callback {} {result}", event.name())?;
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

impl Entry {
    fn is_detail(&self) -> bool {
        matches!(
            self,
            Self::Dependence { .. } | Self::ParallelLevel { .. } | Self::TaskLevel { .. }
        )
    }
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
    fn write_record(&mut self, text: &mut String, record: &Record, thread: usize) -> fmt::Result {
        match record.entry.is_detail() {
            true => text.push('+'),
            false => write!(text, "{} thread={thread}", record.seq)?,
        }
        self.write_entry(text, &record.entry)?;
        if !record.entry.is_detail() {
            let state = match record.state {
                State::Unknown(state) => format!("{state:#x}"),
                state => named(state.name(), state.raw().0),
            };
            let wait = match record.wait {
                Some(wait) => self.wait_id(WaitId(wait.get())),
                None => "-".into(),
            };
            write!(text, " state={state} wait={wait} time={}", record.time)?;
        }
        text.push('\n');
        Ok(())
    }

    fn write_entry(&mut self, text: &mut String, entry: &Entry) -> fmt::Result {
        match *entry {
            Entry::ThreadBegin { kind, dirty } => {
                write!(text, " thread_begin type={}", named(kind.name(), kind.raw().0))?;
                write_dirty(text, dirty)
            }
            Entry::ThreadEnd { thread } => {
                write!(text, " thread_end thread_data={}", thread_word(thread))
            }
            Entry::ParallelBegin {
                parallel,
                encountering_task,
                frames,
                requested,
                flags,
                codeptr,
            } => {
                let Announced { word, dirty } = parallel;
                write!(text, " parallel_begin parallel={}", self.parallel(word))?;
                write!(text, " encountering_task={}", self.task(encountering_task))?;
                write_frames(text, frames)?;
                write!(text, " requested={requested} flags={}", parallel_flags(flags))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))?;
                write_dirty(text, dirty)
            }
            Entry::ParallelEnd { parallel, encountering_task, flags, codeptr } => {
                write!(text, " parallel_end parallel={}", self.parallel(parallel))?;
                write!(text, " encountering_task={}", self.task(encountering_task))?;
                write!(text, " flags={}", parallel_flags(flags))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::ImplicitTask { endpoint, parallel, task, parallelism, index, flags } => {
                let Announced { word, dirty } = task;
                let endpoint = named(endpoint.name(), endpoint.raw().0);
                write!(text, " implicit_task endpoint={endpoint}")?;
                write!(text, " parallel={} task={}", self.parallel(parallel), self.task(word))?;
                write!(text, " parallelism={parallelism} index={index}")?;
                write!(text, " flags={}", task_flags(flags))?;
                write_dirty(text, dirty)
            }
            Entry::Work { kind, endpoint, parallel, task, count, codeptr } => {
                write!(text, " work type={}", named(kind.name(), kind.raw().0))?;
                write!(text, " endpoint={}", named(endpoint.name(), endpoint.raw().0))?;
                write!(text, " parallel={} task={}", self.parallel(parallel), self.task(task))?;
                write!(text, " count={count} codeptr={}", self.codeptr(codeptr))
            }
            Entry::Dispatch { parallel, task, instance } => {
                let (kind, instance) = self.instance(instance);
                write!(text, " dispatch kind={kind}")?;
                write!(text, " parallel={} task={}", self.parallel(parallel), self.task(task))?;
                write!(text, " instance={instance}")
            }
            Entry::Sync { event, kind, endpoint, parallel, task, codeptr } => {
                let event = match event {
                    SyncEvent::SyncRegion => "sync_region",
                    SyncEvent::SyncRegionWait => "sync_region_wait",
                    SyncEvent::Reduction => "reduction",
                };
                write!(text, " {event} kind={}", named(kind.name(), kind.raw().0))?;
                write!(text, " endpoint={}", named(endpoint.name(), endpoint.raw().0))?;
                write!(text, " parallel={} task={}", self.parallel(parallel), self.task(task))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::Masked { endpoint, parallel, task, codeptr } => {
                write!(text, " masked endpoint={}", named(endpoint.name(), endpoint.raw().0))?;
                write!(text, " parallel={} task={}", self.parallel(parallel), self.task(task))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::Acquire { event, kind, hint, implementation, wait_id, codeptr } => {
                let event = match event {
                    AcquireEvent::LockInit => "lock_init",
                    AcquireEvent::MutexAcquire => "mutex_acquire",
                };
                write!(text, " {event} kind={}", named(kind.name(), kind.raw().0))?;
                write!(text, " hint={hint} impl={implementation}")?;
                write!(text, " wait_id={}", self.wait_id(wait_id))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::Mutex { event, kind, wait_id, codeptr } => {
                let event = match event {
                    MutexEvent::LockDestroy => "lock_destroy",
                    MutexEvent::MutexAcquired => "mutex_acquired",
                    MutexEvent::MutexReleased => "mutex_released",
                };
                write!(text, " {event} kind={}", named(kind.name(), kind.raw().0))?;
                write!(text, " wait_id={}", self.wait_id(wait_id))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::NestLock { endpoint, wait_id, codeptr } => {
                write!(text, " nest_lock endpoint={}", named(endpoint.name(), endpoint.raw().0))?;
                write!(text, " wait_id={}", self.wait_id(wait_id))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::Flush { thread, codeptr } => {
                write!(text, " flush thread_data={}", thread_word(thread))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::TaskCreate {
                task,
                encountering_task,
                frames,
                flags,
                has_dependences,
                codeptr,
            } => {
                let Announced { word, dirty } = task;
                write!(text, " task_create task={}", self.task(word))?;
                write!(text, " encountering_task={}", self.task(encountering_task))?;
                write_frames(text, frames)?;
                write!(text, " flags={}", task_flags(flags))?;
                write!(text, " has_dependences={}", u8::from(has_dependences))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))?;
                write_dirty(text, dirty)
            }
            Entry::TaskSchedule { prior, status, next } => {
                write!(text, " task_schedule prior={}", self.task(prior))?;
                write!(text, " status={}", named(status.name(), status.raw().0))?;
                write!(text, " next={}", self.task(next))
            }
            Entry::Dependences { task, count } => {
                write!(text, " dependences task={} count={count}", self.task(task))
            }
            Entry::TaskDependence { source, sink } => {
                write!(text, " task_dependence source={}", self.task(source))?;
                write!(text, " sink={}", self.task(sink))
            }
            Entry::Cancel { task, flags, codeptr } => {
                write!(text, " cancel task={} flags={}", self.task(task), cancel_flags(flags))?;
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::Error { severity, length, message, codeptr } => {
                let kept = &message[..length.min(MESSAGE_LEN)];
                write!(text, " error severity={}", named(severity.name(), severity.raw().0))?;
                write!(text, " length={length} codeptr={}", self.codeptr(codeptr))?;
                write!(text, " message={}", graphic(kept))
            }
            Entry::Target { is_emi, kind, endpoint, device, task, target_task, codeptr } => {
                text.push_str(if is_emi { " target_emi" } else { " target" });
                write!(text, " kind={}", named(kind.name(), kind.raw().0))?;
                write!(text, " endpoint={}", named(endpoint.name(), endpoint.raw().0))?;
                write!(text, " device={device} task={}", self.task(task))?;
                if is_emi {
                    write!(text, " target_task={}", self.task(target_task))?;
                }
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::TargetDataOp {
                endpoint,
                kind,
                target_task,
                source,
                destination,
                bytes,
                codeptr,
            } => {
                match endpoint {
                    Some(endpoint) => {
                        let endpoint = named(endpoint.name(), endpoint.raw().0);
                        write!(text, " target_data_op_emi endpoint={endpoint}")?;
                        write!(text, " target_task={}", self.task(target_task))?;
                    }
                    None => text.push_str(" target_data_op"),
                }
                write!(text, " kind={}", named(kind.name(), kind.raw().0))?;
                let address = |is_set| if is_set { "set" } else { "null" };
                write!(text, " src={}@{}", address(source.0), source.1)?;
                write!(text, " dest={}@{}", address(destination.0), destination.1)?;
                write!(text, " bytes={bytes} codeptr={}", self.codeptr(codeptr))
            }
            Entry::TargetSubmit { endpoint, num_teams } => {
                match endpoint {
                    Some(endpoint) => {
                        let endpoint = named(endpoint.name(), endpoint.raw().0);
                        write!(text, " target_submit_emi endpoint={endpoint}")?;
                    }
                    None => text.push_str(" target_submit"),
                }
                write!(text, " teams={num_teams}")
            }
            Entry::Device { begins, device } => {
                let event = if begins { "device_initialize" } else { "device_finalize" };
                write!(text, " {event} device={device}")
            }
            Entry::DeviceLoad { device } => write!(text, " device_load device={device}"),
            Entry::ControlTool { command, modifier, arg, codeptr } => {
                write!(text, " control_tool command={command} modifier={modifier}")?;
                match arg {
                    0 => write!(text, " arg=null")?,
                    arg => write!(text, " arg={arg:#x}")?,
                }
                write!(text, " codeptr={}", self.codeptr(codeptr))
            }
            Entry::Dependence { kind, variable } => {
                write!(text, " dependence type={}", named(kind.name(), kind.raw().0))?;
                write!(text, " variable={}", self.variable(kind, variable))
            }
            Entry::ParallelLevel { level, region: None } => {
                write!(text, " parallel_info level={level} result=1")
            }
            Entry::ParallelLevel { level, region: Some((word, size)) } => {
                write!(text, " parallel_info level={level} result=2")?;
                write!(text, " parallel={} size={size}", self.parallel(word))
            }
            Entry::TaskLevel { level, task: None } => {
                write!(text, " task_info level={level} result=1")
            }
            Entry::TaskLevel { level, task: Some(info) } => {
                write!(text, " task_info level={level} result=2")?;
                write!(text, " task={} flags={}", self.task(info.task), task_flags(info.flags))?;
                write!(text, " parallel={}", self.parallel(info.parallel))?;
                write!(text, " thread_num={}", info.thread_num)?;
                write_frames(text, info.frames)
            }
        }
    }
}

fn write_dirty(text: &mut String, dirty: u64) -> fmt::Result {
    match dirty {
        0 => Ok(()),
        dirty => write!(text, " dirty={dirty:#x}"),
    }
}

fn write_frames(text: &mut String, frames: Frames) -> fmt::Result {
    write!(text, " exit_frame={} enter_frame={}", frame(frames.exit), frame(frames.enter))
}
