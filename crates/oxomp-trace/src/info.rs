//! Facts about the process: items of an information chunk.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::counters::{Bandwidth, Counter};
use crate::layout::{u32_at, u64_at};
use crate::mpi::{MpiElsewhere, MpiFunction};
use crate::mpi_events::MpiWorld;
use crate::rank::Rank;

/// Why there are no samples, where the user wants none.
pub const NOT_WANTED: &str = "not wanted";

/// The kind of an item. Text is UTF-8, or close to it: readers replace other bytes, but in the
/// paths of files that they open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Tag {
    /// One word of the command line, in order.
    Argument = 1,
    /// `NAME=value` of the environment.
    Environment = 2,
    /// Path of the executable.
    Executable = 3,
    /// Name of the machine.
    Hostname = 4,
    /// u64 rank, u64 number of ranks or 0, the job's name: the process belongs to a job of several.
    Rank = 24,
    /// The runtime's name and version, in its own words.
    RuntimeVersion = 5,
    /// u64: `_OPENMP` as the runtime told.
    OmpVersion = 6,
    /// u64: processors the process may use.
    AllowedCpus = 7,
    /// u64 tick, u64 `CLOCK_MONOTONIC` ns.
    ClockPair = 8,
    /// u64 load bias, u64 first and u64 end address, u32 length of the build id, build id, path.
    Module = 9,
    /// u64: CPU time of the process at the end, ns.
    CpuTime = 10,
    /// u64 tick at which the recording ended in order. Absent: the process went away.
    End = 11,
    /// u64 tick at which the recording stopped before the end; then why.
    Stopped = 12,
    /// u64: the address of an entry point of the runtime; its module is the runtime's.
    RuntimeAddress = 13,
    /// u64: events of threads that could not be recorded at all.
    Lost = 14,
    /// u64: how old the process was when the recording began, ns.
    Age = 15,
    /// u64 the system's id, u64 CPU time in ns, of a thread that lived at the recording's end.
    ThreadCpu = 16,
    /// u64 1: the sums are those of the whole recording, whether its events were recorded or not.
    WholeSums = 18,
    /// u64 number of an [`EventClass`], u64 events, u64 of them that were timed, u64 ticks that the
    /// collector takes in the mean to handle all of them ([`crate::info::EventCost`]).
    EventCost = 19,
    /// u64 the system's id of a thread that was in user code or in a wait when the recording ended,
    /// u64 the code address of its region, or 0, and what it had not computed since: in user code
    /// u64 ticks without a processor and u64 ticks in which it was blocked; u64 ticks of the wait.
    Unfinished = 25,
    /// u64: time between two samples of a thread, ns, 0 if there are none; then the source of the
    /// samples, or why there are none.
    Sampling = 17,
    /// Linux's name of the processor that executed the process.
    Processor = 26,
    /// u64 1: the recording began and ended while the program ran.
    Attached = 27,
    /// u64 address in the interpreter's module, u64 its version as `PY_VERSION_HEX`, u64 number of
    /// a [`PythonFrames`]: the process has an interpreter of Python.
    Python = 28,
    /// u64 number, u64 class, name of a function of MPI: [`crate::MpiFunction`].
    MpiFunction = 29,
    /// The calls of a function of MPI on threads without a stream, as six u64 in the order of the
    /// fields of [`crate::MpiElsewhere`]. It replaces an earlier one of the same function and
    /// thread.
    MpiElsewhere = 30,
    /// u64 position among the values, or all ones, u64 length of the name, name of a counter; then,
    /// without a position, why the kernel does not count it: [`crate::counters::Counter`].
    Counter = 31,
    /// u64 bytes per second, u64 threads: [`crate::counters::Bandwidth`].
    Bandwidth = 32,
    /// u64 rank in `MPI_COMM_WORLD`, u64 number of processes there, u64 messages and collective
    /// operations that are left out of the events: [`crate::MpiWorld`]. It replaces an earlier one.
    MpiWorld = 33,
    /// u64 nanoseconds: the collector kept what passes for so long, and gave back what was older.
    Kept = 34,
    /// Why the last seconds of a recording were written: it is an excerpt of that recording.
    Excerpt = 35,
}

/// Bytes before an item's content.
const ITEM_HEADER: usize = 8;
/// Bytes of a module before its build id.
const MODULE_HEADER: usize = 28;

/// The events of which the collector measures what they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EventClass {
    /// Begins and ends of regions, of implicit tasks, and of waits at barriers and for tasks.
    Regions = 0,
    /// Begins and ends of worksharing constructs, and chunks.
    Loops = 1,
    /// Requests, acquisitions and releases of mutexes.
    Locks = 2,
    /// Creations, begins and ends of explicit tasks.
    Tasks = 3,
    /// Constructs for devices, and their operations.
    Devices = 4,
    /// Samples of call paths.
    Samples = 5,
    /// Acquisitions of mutexes that the runtime counted instead of reporting them, with their
    /// releases: none of them is timed.
    Unreported = 6,
}

impl EventClass {
    /// Every class, by number.
    pub const ALL: [Self; 7] = [
        Self::Regions,
        Self::Loops,
        Self::Locks,
        Self::Tasks,
        Self::Devices,
        Self::Samples,
        Self::Unreported,
    ];
}

/// What the events of a class took the threads of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventCost {
    /// The class.
    pub class: EventClass,
    /// How many there were.
    pub events: u64,
    /// How many of them were timed: the first ones of each thread, and others at regular distances.
    pub timed: u64,
    /// What as many take in the mean in the collector, in ticks, without the reading of the clock:
    /// the first ones, which take longest, count in it as often as there are such ones among all.
    pub ticks: u64,
}

impl EventCost {
    /// What all events of the class took in the collector, in ticks.
    #[must_use]
    pub fn all_ticks(&self) -> f64 {
        match self.timed {
            0 => 0.0,
            timed => self.ticks as f64 / timed as f64 * self.events as f64,
        }
    }
}

/// The process's interpreter of Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Python {
    /// An address in its module.
    pub address: u64,
    /// Its version, as `PY_VERSION_HEX`: one byte each of major, minor and patch version, from the
    /// second highest on. The patch version is 0 where only the others are known; all are 0 for a
    /// version before 3.9.
    pub version: u32,
    /// Whether call paths have its functions.
    pub frames: PythonFrames,
}

/// Whether call paths have the functions of Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum PythonFrames {
    /// They have.
    Read = 0,
    /// The collector does not know this version.
    UnknownVersion = 1,
    /// The interpreter was built without its lock.
    FreeThreaded = 2,
    /// The interpreter's data are not where this version has them.
    Unexpected = 3,
}

impl PythonFrames {
    /// The value with this number; a later one counts as [`PythonFrames::Unexpected`].
    fn from_number(number: u64) -> Self {
        match number {
            0 => Self::Read,
            1 => Self::UnknownVersion,
            2 => Self::FreeThreaded,
            _ => Self::Unexpected,
        }
    }
}

/// A mapped file of the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The load bias: the loader added it to the file's addresses.
    pub bias: u64,
    /// First address that belongs to it.
    pub begin: u64,
    /// First address after it.
    pub end: u64,
    /// GNU build id, or empty.
    pub build_id: Vec<u8>,
    /// Path under which the loader knows the file, for people; empty if it has none.
    pub path: String,
    /// The same path as the system knows it, which need not be text.
    pub file: PathBuf,
}

/// The facts that a file holds. A fact that is missing is empty, 0 or `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The command line, word by word.
    pub arguments: Vec<String>,
    /// Names and values of the environment, in its order, as far as the collector kept them.
    pub environment: Vec<(String, String)>,
    /// Path of the executable.
    pub executable: String,
    /// Name of the machine.
    pub hostname: String,
    /// Linux's name of the processor that executed the process, which tells what its code and its
    /// numbers of system calls mean. Recordings before version 1.7 have none: they are all of one
    /// processor, which `oxomp-arch` knows.
    pub processor: Option<String>,
    /// The process's place in a job of several processes.
    pub rank: Option<Rank>,
    /// The runtime's name and version, in its own words.
    pub runtime_version: String,
    /// `_OPENMP` as the runtime told.
    pub omp_version: u32,
    /// Processors that the process was allowed to use.
    pub allowed_cpus: u32,
    /// (tick, `CLOCK_MONOTONIC` ns) as read during the run.
    pub clock_pairs: Vec<(u64, u64)>,
    /// The mapped files, in the order in which the collector saw them; later ones replace earlier
    /// ones at the same addresses.
    pub modules: Vec<Module>,
    /// CPU time of the process at its end, all threads, in ns.
    pub cpu_ns: Option<u64>,
    /// The tick at which the recording ended in order; `None` if the process went away before.
    pub end_tick: Option<u64>,
    /// When the recording stopped before the end (tick), and why.
    pub stopped: Option<(u64, String)>,
    /// The sums are those of the whole recording, whether its events were recorded or not. Before
    /// version 1.4 they took the place of events.
    pub whole_sums: bool,
    /// The recording began and ended while the program ran: threads may have been in the middle of
    /// anything at its end.
    pub attached: bool,
    /// The address of an entry point of the runtime: [`Info::module_of`] gives the runtime's file.
    pub runtime_address: Option<u64>,
    /// Events of threads that could not be recorded at all.
    pub lost_events: u64,
    /// How old the process was when the recording began, ns.
    pub age_ns: u64,
    /// The system's id and the CPU time, ns, of each thread that lived at the recording's end, of
    /// those too that OpenMP does not know.
    pub thread_cpu: Vec<(u64, u64)>,
    /// What threads did not compute in stretches of user code, and in waits, that had not ended
    /// when the recording did.
    pub unfinished: Vec<Unfinished>,
    /// The time between two samples of a thread, ns, or 0; and the source of the samples, or why
    /// there are none.
    pub sampling: Option<(u64, String)>,
    /// What the events took the threads, by class; empty if the process went away before the end.
    pub costs: Vec<EventCost>,
    /// The process's interpreter of Python, if it has one that the collector has found.
    pub python: Option<Python>,
    /// The functions of MPI, if the process called one and its calls were timed.
    pub mpi_functions: Vec<MpiFunction>,
    /// The calls of MPI on threads without a stream.
    pub mpi_elsewhere: Vec<MpiElsewhere>,
    /// The counters that the recording was asked for; empty if for none.
    pub counters: Vec<Counter>,
    /// How fast the program's processors move memory, if it was measured.
    pub bandwidth: Option<Bandwidth>,
    /// The process in `MPI_COMM_WORLD`, if its messages and collective operations have events.
    pub mpi_world: Option<MpiWorld>,
    /// For how long events and samples were kept, ns, in a recording of the last seconds.
    pub kept_ns: Option<u64>,
    /// Of an excerpt from such a recording, why it was written.
    pub excerpt: Option<String>,
}

/// What a thread did not compute in user code, or in a wait, that had not ended when the recording
/// did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfinished {
    /// The system's id of the thread.
    pub tid: u64,
    /// The code address of its region; 0 outside every region.
    pub code: u64,
    /// Without a processor although it was ready, in ticks.
    pub taken: u64,
    /// Blocked, in ticks.
    pub blocked: u64,
    /// Not in user code, but at a barrier or waiting for tasks, in ticks.
    pub waits: u64,
}

impl Unfinished {
    /// A thread in the region at `code` that has computed.
    #[must_use]
    pub fn of(tid: u32, code: u64) -> Self {
        Self { tid: tid.into(), code, taken: 0, blocked: 0, waits: 0 }
    }
}

/// Writes an item into the beginning of `space`; its parts become the content, one after another.
/// Returns the bytes used, or `None` if there is no room (then nothing is written).
#[must_use]
pub fn write_item(space: &mut [u8], tag: Tag, parts: &[&[u8]]) -> Option<usize> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let total = ITEM_HEADER + length.next_multiple_of(8);
    let space = space.get_mut(..total)?;
    space.fill(0);
    space[..4].copy_from_slice(&(tag as u32).to_le_bytes());
    space[4..8].copy_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    let mut at = ITEM_HEADER;
    for part in parts {
        space[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
    Some(total)
}

/// Writes a [`Tag::Module`] item into the beginning of `space`, as [`write_item`] does. Returns the
/// bytes used, or `None` if there is no room.
#[must_use]
pub fn write_module(
    space: &mut [u8],
    bias: u64,
    addresses: (u64, u64),
    build_id: &[u8],
    path: &[u8],
) -> Option<usize> {
    let length = u32::try_from(build_id.len()).ok()?.to_le_bytes();
    write_item(
        space,
        Tag::Module,
        &[
            &bias.to_le_bytes(),
            &addresses.0.to_le_bytes(),
            &addresses.1.to_le_bytes(),
            &length,
            build_id,
            path,
        ],
    )
}

impl Info {
    /// Takes in the items of a chunk. An item that does not make sense ends the reading and is
    /// named; the items before it stand.
    pub(crate) fn read(&mut self, payload: &[u8]) -> Result<(), InfoError> {
        let mut rest = payload;
        while !rest.is_empty() {
            let offset = payload.len() - rest.len();
            if rest.len() < ITEM_HEADER {
                return Err(InfoError::Cut { offset });
            }
            let tag = u32_at(rest, 0);
            let length = u32_at(rest, 4) as usize;
            let padded = length.checked_next_multiple_of(8).unwrap_or(usize::MAX);
            let Some(content) = rest[ITEM_HEADER..].get(..padded) else {
                return Err(InfoError::Cut { offset });
            };
            self.take(tag, &content[..length]).ok_or(InfoError::Malformed { tag, offset })?;
            rest = &rest[ITEM_HEADER + padded..];
        }
        Ok(())
    }

    /// `None` if the content is too short for its tag.
    fn take(&mut self, tag: u32, content: &[u8]) -> Option<()> {
        let text = || String::from_utf8_lossy(content).into_owned();
        let number =
            |index: usize| content.get(index * 8..index * 8 + 8).map(|bytes| u64_at(bytes, 0));
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        match tag {
            t if t == Tag::Argument as u32 => self.arguments.push(text()),
            t if t == Tag::Environment as u32 => {
                let text = text();
                let (name, value) = text.split_once('=').unwrap_or((&text, ""));
                self.environment.push((name.to_owned(), value.to_owned()));
            }
            t if t == Tag::Executable as u32 => self.executable = text(),
            t if t == Tag::Hostname as u32 => self.hostname = text(),
            t if t == Tag::Processor as u32 => self.processor = Some(text()),
            t if t == Tag::RuntimeVersion as u32 => self.runtime_version = text(),
            t if t == Tag::OmpVersion as u32 => self.omp_version = small(number(0)?),
            t if t == Tag::AllowedCpus as u32 => self.allowed_cpus = small(number(0)?),
            t if t == Tag::ClockPair as u32 => self.clock_pairs.push((number(0)?, number(1)?)),
            t if t == Tag::CpuTime as u32 => self.cpu_ns = Some(number(0)?),
            t if t == Tag::End as u32 => self.end_tick = Some(number(0)?),
            t if t == Tag::WholeSums as u32 => self.whole_sums = number(0)? == 1,
            t if t == Tag::Attached as u32 => self.attached = number(0)? == 1,
            t if t == Tag::Lost as u32 => self.lost_events = number(0)?,
            t if t == Tag::Age as u32 => self.age_ns = number(0)?,
            t if t == Tag::ThreadCpu as u32 => self.thread_cpu.push((number(0)?, number(1)?)),
            t if t == Tag::Unfinished as u32 => {
                let (tid, code) = (number(0)?, number(1)?);
                let (taken, blocked, waits) = (number(2)?, number(3)?, number(4)?);
                self.unfinished.push(Unfinished { tid, code, taken, blocked, waits });
            }
            t if t == Tag::RuntimeAddress as u32 => self.runtime_address = Some(number(0)?),
            t if t == Tag::Rank as u32 => {
                let size = small(number(1)?);
                self.rank = Some(Rank {
                    number: small(number(0)?),
                    size: (size > 0).then_some(size),
                    job: String::from_utf8_lossy(content.get(16..)?).into_owned(),
                });
            }
            t if t == Tag::Stopped as u32 => {
                let why = String::from_utf8_lossy(content.get(8..)?).into_owned();
                self.stopped = Some((number(0)?, why));
            }
            t if t == Tag::EventCost as u32 => {
                let (events, timed, ticks) = (number(1)?, number(2)?, number(3)?);
                let number = number(0)?;
                // Classes of a later version have no name here.
                let class = EventClass::ALL.into_iter().find(|class| *class as u64 == number);
                let cost = class.map(|class| EventCost { class, events, timed, ticks });
                self.costs.extend(cost);
            }
            t if t == Tag::Sampling as u32 => {
                let text = String::from_utf8_lossy(content.get(8..)?).into_owned();
                self.sampling = Some((number(0)?, text));
            }
            t if t == Tag::Module as u32 => {
                let (bias, begin, end) = (number(0)?, number(1)?, number(2)?);
                let id_length = u32_at(content.get(..MODULE_HEADER)?, 24) as usize;
                let build_id = content[MODULE_HEADER..].get(..id_length)?;
                let path = &content[MODULE_HEADER + id_length..];
                self.modules.push(Module {
                    bias,
                    begin,
                    end,
                    build_id: build_id.to_vec(),
                    path: String::from_utf8_lossy(path).into_owned(),
                    file: PathBuf::from(OsStr::from_bytes(path)),
                });
            }
            t if t == Tag::Python as u32 => {
                let (address, version) = (number(0)?, small(number(1)?));
                let frames = PythonFrames::from_number(number(2)?);
                self.python = Some(Python { address, version, frames });
            }
            t if t == Tag::MpiFunction as u32 => {
                self.mpi_functions.push(MpiFunction::decode(content)?);
            }
            t if t == Tag::MpiElsewhere as u32 => {
                MpiElsewhere::decode(content)?.replace_in(&mut self.mpi_elsewhere);
            }
            t if t == Tag::Counter as u32 => self.counters.push(Counter::decode(content)?),
            t if t == Tag::Bandwidth as u32 => {
                let (bytes_per_second, threads) = (number(0)?, number(1)?);
                self.bandwidth = Some(Bandwidth { bytes_per_second, threads });
            }
            t if t == Tag::MpiWorld as u32 => {
                self.mpi_world = Some(MpiWorld::decode(content)?);
            }
            t if t == Tag::Kept as u32 => self.kept_ns = Some(number(0)?),
            t if t == Tag::Excerpt as u32 => self.excerpt = Some(text()),
            // A later minor version says more than we understand.
            _ => {}
        }
        Some(())
    }

    /// The items of a chunk's payload that have none of these tags, as far as they can be read.
    pub(crate) fn without(payload: &[u8], tags: &[Tag]) -> Vec<u8> {
        let mut rest = payload;
        let mut kept = Vec::with_capacity(payload.len());
        while rest.len() >= ITEM_HEADER {
            let (tag, length) = (u32_at(rest, 0), u32_at(rest, 4) as usize);
            let whole = length
                .checked_next_multiple_of(8)
                .and_then(|length| length.checked_add(ITEM_HEADER));
            let Some(item) = whole.and_then(|whole| rest.get(..whole)) else { break };
            if !tags.iter().any(|unwanted| *unwanted as u32 == tag) {
                kept.extend(item);
            }
            rest = &rest[item.len()..];
        }
        kept
    }

    /// The module that holds `address`.
    #[must_use]
    pub fn module_of(&self, address: u64) -> Option<&Module> {
        self.modules.iter().rev().find(|module| (module.begin..module.end).contains(&address))
    }
}

/// Why an item of an information chunk cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InfoError {
    /// The item is longer than what is left of the payload.
    #[error("the item at byte {offset} of the payload is cut off")]
    Cut {
        /// Where the item begins in the payload, in bytes.
        offset: usize,
    },
    /// The item's content is shorter than what its tag asks for.
    #[error("the item with tag {tag} at byte {offset} of the payload is too short")]
    Malformed {
        /// Number of a [`Tag`].
        tag: u32,
        /// Where the item begins in the payload, in bytes.
        offset: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::{EventClass, EventCost, Info, Tag, write_item};
    use crate::mpi::{MpiClass, MpiElsewhere};

    #[test]
    fn the_last_sums_of_a_function_of_mpi_count() {
        let mut space = [0; 512];
        let mut used = write_item(
            &mut space,
            Tag::MpiFunction,
            &[&7_u64.to_le_bytes(), &2_u64.to_le_bytes(), b"MPI_Barrier"],
        )
        .expect("room");
        for numbers in [[7_u64, 1, 1, 10, 10, 0], [7, 0, 1, 5, 5, 0], [7, 1, 3, 40, 20, 0]] {
            let parts = numbers.map(u64::to_le_bytes);
            let parts = parts.each_ref().map(<[u8; 8]>::as_slice);
            used += write_item(&mut space[used..], Tag::MpiElsewhere, &parts).expect("room");
        }
        let mut info = Info::default();
        info.read(&space[..used]).expect("items");
        let function = &info.mpi_functions[0];
        assert_eq!((function.number, function.class), (7, Some(MpiClass::Collective)));
        assert_eq!(function.name, "MPI_Barrier");
        let numbers = info.mpi_elsewhere.iter().map(MpiElsewhere::numbers);
        assert_eq!(numbers.collect::<Vec<_>>(), [[7, 1, 3, 40, 20, 0], [7, 0, 1, 5, 5, 0]]);
    }

    #[test]
    fn a_processor_is_read_where_it_is_named() {
        let mut space = [0; 64];
        let mut info = Info::default();
        let used = write_item(&mut space, Tag::Hostname, &[b"node1"]).expect("room");
        info.read(&space[..used]).expect("items");
        assert_eq!(info.processor, None);
        let used = write_item(&mut space, Tag::Processor, &[b"PDP-11"]).expect("room");
        info.read(&space[..used]).expect("items");
        assert_eq!(info.processor.as_deref(), Some("PDP-11"));
    }

    #[test]
    fn what_events_take_is_read_by_class() {
        let mut space = [0; 256];
        let mut used = 0;
        // The last class is one of a later version.
        for numbers in [[2_u64, 900, 30, 600], [5, 10, 10, 4000], [77, 1, 1, 1]] {
            let parts = numbers.map(u64::to_le_bytes);
            let parts = parts.each_ref().map(<[u8; 8]>::as_slice);
            used += write_item(&mut space[used..], Tag::EventCost, &parts).expect("room");
        }
        let mut info = Info::default();
        info.read(&space[..used]).expect("items");
        let locks = EventCost { class: EventClass::Locks, events: 900, timed: 30, ticks: 600 };
        let samples = EventCost { class: EventClass::Samples, events: 10, timed: 10, ticks: 4000 };
        assert_eq!(info.costs, [locks, samples]);
        let all = info.costs.iter().map(EventCost::all_ticks).sum::<f64>();
        assert_eq!(all as u64, 18_000 + 4000);
        assert_eq!(EventCost { timed: 0, ..locks }.all_ticks() as u64, 0);
    }
}
