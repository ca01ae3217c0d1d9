//! The code that threads executed at sampled moments, as a tree of call paths.

mod blocked;
pub(crate) mod build;
mod builder;
mod cause;
mod code;
mod dispatch;
mod frame;
mod hot_accesses;
pub(crate) mod hot_code;
mod interpreter;
mod iterations;
pub(crate) mod library;
mod nests;
mod placing;
mod python_calls;
mod runtime_wait;
mod samples;
mod shared_lines;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::summary::written::{FileAndLine, as_one};
use crate::summary::{Cause, PythonCall, SharedLines};

/// The code that the threads executed at sampled moments, as a tree of call paths.
// Without samples in the recording, everything is empty.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Calls"))]
pub struct CallTree {
    /// Processor time between two samples of a thread, ns; 0 if the run was not sampled.
    pub period_ns: u64,
    /// Samples whose call path could not be followed to the start of its thread.
    pub incomplete: u64,
    /// Samples that could not be kept.
    pub lost: u64,
    /// The frames, each after its caller.
    pub nodes: Vec<CallNode>,
    /// The samples whose times are known, by thread and time.
    #[serde(skip)]
    pub samples: Vec<Sample>,
    /// Where threads blocked.
    #[serde(skip)]
    pub blocked: Vec<BlockedCall>,
    /// Where threads used a processor while they waited for other iterations of a doacross loop
    /// nest.
    #[serde(skip)]
    pub iterations: Vec<IterationCall>,
    /// File and line of each such loop nest, by the code address of its worksharing construct.
    #[serde(skip)]
    pub nests: BTreeMap<u64, (String, u32)>,
    /// The functions of Python that lead to regions, by the regions' code addresses.
    #[serde(skip)]
    pub python: BTreeMap<u64, Vec<PythonCall>>,
    /// Samples in the bodies of regions, and those where the runtime hands out chunks.
    #[serde(skip)]
    pub dispatch: Vec<DispatchSamples>,
    /// All samples of each thread that waited so, by [`crate::summary::Thread::number`]; empty if
    /// the recording does not tell the thread of each sample.
    #[serde(skip)]
    pub waiters: BTreeMap<u32, Waiter>,
    /// Where threads meet in memory, in regions, most samples first.
    #[serde(skip)]
    pub hot_accesses: Vec<HotAccessCode>,
    /// Cache lines that threads share in regions, most samples first, each with the code address of
    /// the region, which stands for its copies; [`SharedLines::region`] is not known yet.
    #[serde(skip)]
    pub shared_lines: Vec<(u64, SharedLines)>,
}

/// How threads meet in memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HotAccess {
    /// By an atomic update: [`crate::summary::AtomicUpdate::instruction`].
    Update(String),
    /// In a loop that waits for another thread to change a variable.
    Spin,
}

/// A place where threads meet in memory, and the samples at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HotAccessCode {
    /// The addresses from the begin to the end of the function that is the region's body.
    pub body: (u64, u64),
    /// [`crate::summary::AtomicUpdate::function`].
    pub function: String,
    /// [`crate::summary::AtomicUpdate::line`].
    pub line: Option<(String, u32)>,
    /// What is there.
    pub what: HotAccess,
    /// [`crate::summary::AtomicUpdate::samples`].
    pub samples: u64,
    /// [`crate::summary::AtomicUpdate::of`].
    pub of: u64,
}

/// A call in which threads blocked, as often as they were found there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedCall {
    /// The code address of the region; 0 outside every region.
    pub region: u64,
    /// [`crate::summary::Blocked::cause`].
    pub cause: Cause,
    /// [`crate::summary::Blocked::function`].
    pub function: String,
    /// [`crate::summary::Blocked::path`].
    pub path: Vec<String>,
    /// [`crate::summary::Blocked::line`].
    pub line: Option<(String, u32)>,
    /// How often a thread was found there.
    pub samples: u64,
}

/// A sink of a doacross loop nest, and the samples of threads that waited there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IterationCall {
    /// The addresses from the begin to the end of the function that is the region's body, if it is
    /// known.
    pub body: Option<(u64, u64)>,
    /// [`crate::summary::Blocked::path`].
    pub path: Vec<String>,
    /// [`crate::summary::Blocked::line`].
    pub line: Option<(String, u32)>,
    /// All samples there.
    pub samples: u64,
    /// The samples of known threads, by [`crate::summary::Thread::number`].
    pub threads: BTreeMap<u32, u64>,
}

/// The samples in the body of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchSamples {
    /// The addresses from the begin to the end of the function that is the region's body.
    pub body: (u64, u64),
    /// All of them, but those in functions of the runtime whose names are not known.
    pub of: u64,
    /// Those where the runtime hands out a chunk, by the call.
    pub calls: Vec<DispatchCall>,
}

/// A call by which threads ask for the next chunk of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchCall {
    /// The address to which it returns.
    pub code: u64,
    /// All samples in it.
    pub samples: u64,
    /// The samples of known threads, by [`crate::summary::Thread::number`].
    pub threads: BTreeMap<u32, u64>,
}

/// The samples of a thread that waited for other iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiter {
    /// All of them.
    pub all: u64,
    /// The samples in such waits.
    pub waiting: u64,
    /// The samples elsewhere in the C library, from which the thread may have called the kernel.
    pub in_library: u64,
}

/// A frame in the context of its callers; the runtime's own frames are left out. File and line are
/// those of the call if the frame calls another one.
// A region's frames stand below those that forked it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Node"))]
pub struct CallNode {
    /// Position of the caller in `nodes`, from 0; null at the start of a thread or of the program.
    pub caller: Option<u32>,
    /// The function; module and offset where it has no name.
    // Without its parameters' types where those make it long.
    pub function: String,
    /// The file and line.
    #[serde(flatten, serialize_with = "as_one::<FileAndLine, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "FileAndLine"))]
    pub line: Option<(String, u32)>,
    /// Short name of the mapped file, of the source file for a function of Python; null if unknown.
    pub module: Option<String>,
    /// True for the outlined body of a parallel construct.
    pub region: bool,
    /// Whether it belongs to a library that comes with the compiler or the system, or is a
    /// function of one that was compiled into the program.
    #[serde(skip)]
    pub library: bool,
    /// Whether it is a function of Python, or the interpreter of Python itself.
    #[serde(skip)]
    pub python: bool,
    /// Samples in this frame itself, all threads together; times `period_ns` they are an estimate
    /// of its processor time.
    pub own: u64,
    /// Samples in this frame and those that it called.
    pub total: u64,
}

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// [`crate::summary::Thread::number`].
    pub thread: u32,
    /// Time since the start of the process, ns.
    pub time_ns: u64,
    /// Position of the innermost frame in [`CallTree::nodes`].
    pub node: u32,
}
