//! Where threads blocked.

use std::fmt;

use serde::Serialize;

use super::site::SiteId;
use super::written::{FileAndLine, as_one, written_by_name};

/// [`Blocked::function`] of waits for other iterations of a doacross loop nest.
pub const SINK: &str = "ordered depend(sink)";
/// [`Blocked::function`] of waits for the turn to combine the parts of a reduction.
pub const REDUCTION: &str = "reduction";

/// A call in which threads blocked: they neither computed nor lacked a processor. Or a sink of a
/// doacross loop nest at which they waited for other iterations, where they may use a processor.
/// File and line are those of the call.
// Or a reduction. One row has the calls in one region from one place.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blocked {
    /// The region in whose user code it was; null outside every region.
    pub region: Option<SiteId>,
    /// What the threads waited for: `mutex (not OpenMP's)`, `condition variable`, `sleep`, `read`,
    /// `iteration (doacross)`, `turn (reduction)`. The last two's time is in the class of locks,
    /// that of all others in the class of what is blocked.
    pub cause: Cause,
    /// The function of a library that the user called, or the system call; empty if no call path
    /// is known.
    pub function: String,
    /// The functions from the start of the program to the one that called it, the runtime left out.
    pub path: Vec<String>,
    /// File and line of the call.
    #[serde(flatten, serialize_with = "as_one::<FileAndLine, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "FileAndLine"))]
    pub line: Option<(String, u32)>,
    /// How often a thread was found there.
    pub samples: u64,
    /// The time of all threads there, ns: what was measured in the region, in proportion to the
    /// samples.
    // Where `Cause::is_runtimes`, it is in `Class::Mutex`, and with `Cause::Doacross` the samples
    // of the processor's time are a part of it; else it is in `Class::Blocked`, or, outside every
    // region, in `Class::SerialWait`.
    pub time_ns: u64,
    /// Standard error of `time_ns` where it is known from samples of the processor's time, ns; else
    /// 0.
    pub error_ns: u64,
    /// Where the cause is `iteration (doacross)`: the iterations for which those of the loop nest
    /// wait, at this sink and at its others, most often met first, other distances last; empty if
    /// they are not known, and for other causes.
    pub distances: Vec<Distance>,
}

/// Iterations of a doacross loop nest for which others wait.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Distance {
    /// How far they are from the waiting ones, in iterations of each loop, the outermost first: -1
    /// is the iteration before. Empty: they are at other distances.
    pub steps: Vec<i64>,
    /// How often threads met such a sink, whether they had to wait there or not: a number.
    pub count: u64,
}

/// What a blocked thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Cause {
    /// A mutex of the threads library, as `std::mutex` is.
    Mutex,
    /// A lock that readers share.
    ReadWriteLock,
    /// A condition variable.
    Condition,
    /// A semaphore.
    Semaphore,
    /// A barrier of the threads library.
    Barrier,
    /// The end of another thread.
    Join,
    /// A futex of something else.
    Futex,
    /// Time: the program asked to sleep.
    Sleep,
    /// Input: a file, a pipe or a socket.
    Read,
    /// Output.
    Write,
    /// The disk, until it has what was written.
    Disk,
    /// One of several descriptors (poll, select, epoll).
    Poll,
    /// A connection.
    Connection,
    /// The end of a child process.
    Child,
    /// A lock on a file.
    FileLock,
    /// A signal.
    Signal,
    /// A file that is opened, or looked up.
    File,
    /// A device, by ioctl.
    Device,
    /// A page of memory: it was read from a file or from swap.
    Page,
    /// A change of the address space, for which others hold its lock.
    AddressSpace,
    /// Another iteration of a doacross loop nest: the runtime waits until it is posted, on a
    /// processor or without one.
    Doacross,
    /// The other threads that combine their parts of a reduction, each in its turn: the runtime
    /// waits without a processor.
    Reduction,
    /// Another system call.
    Call(u64),
    /// No thread was found waiting.
    #[default]
    Unknown,
}

written_by_name!(Cause);

impl Cause {
    /// Whether the runtime waits for other threads of the team, and not the user's code.
    #[must_use]
    pub fn is_runtimes(self) -> bool {
        matches!(self, Self::Doacross | Self::Reduction)
    }

    /// What it is, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mutex => "mutex (not OpenMP's)",
            Self::ReadWriteLock => "read-write lock",
            Self::Condition => "condition variable",
            Self::Semaphore => "semaphore",
            Self::Barrier => "pthread barrier",
            Self::Join => "end of a thread",
            Self::Futex => "futex",
            Self::Sleep => "sleep",
            Self::Read => "read",
            Self::Write => "write",
            Self::Disk => "disk",
            Self::Poll => "poll",
            Self::Connection => "connection",
            Self::Child => "child process",
            Self::FileLock => "lock of a file",
            Self::Signal => "signal",
            Self::File => "open",
            Self::Device => "device (ioctl)",
            Self::Page => "page of memory",
            Self::AddressSpace => "address space",
            Self::Doacross => "iteration (doacross)",
            Self::Reduction => "turn (reduction)",
            Self::Call(_) => "system call",
            Self::Unknown => "(no call path)",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
