//! MPI's functions by number, and the sums of calls on threads that had no stream.

use crate::layout::u64_at;

/// What a function of MPI is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u64)]
pub enum MpiClass {
    /// Begins and ends MPI, or makes communicators.
    Setup = 0,
    /// Sends or receives a message.
    PointToPoint = 1,
    /// All processes of a communicator take part.
    Collective = 2,
    /// Waits for requests or messages, or looks whether they are complete.
    Wait = 3,
    /// Accesses windows of other processes' memory.
    OneSided = 4,
    /// Accesses files.
    Io = 5,
}

impl MpiClass {
    /// Every class, by number.
    pub const ALL: [Self; 6] =
        [Self::Setup, Self::PointToPoint, Self::Collective, Self::Wait, Self::OneSided, Self::Io];
}

/// A function of MPI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MpiFunction {
    /// Its number in entries of sums.
    pub number: u64,
    /// What it is for; `None` for a class of a later version.
    pub class: Option<MpiClass>,
    /// Its name in C.
    pub name: String,
}

/// The calls of a function on threads that had no stream: before the first region, or on threads
/// that OpenMP does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MpiElsewhere {
    /// The number of the function.
    pub function: u64,
    /// Whether the calls were on the process's main thread; else on others.
    pub on_main_thread: bool,
    /// How many calls there were.
    pub calls: u64,
    /// Their time, ns.
    pub time_ns: u64,
    /// The time of the longest one, ns.
    pub longest_ns: u64,
    /// Bytes that the process contributed.
    pub bytes: u64,
}

impl MpiFunction {
    /// Reads the content of an item: u64 number, u64 class, the name.
    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let name = String::from_utf8_lossy(content.get(16..)?).into_owned();
        let class = usize::try_from(u64_at(content, 8)).ok();
        let class = class.and_then(|class| MpiClass::ALL.get(class).copied());
        Some(Self { number: u64_at(content, 0), class, name })
    }
}

impl MpiElsewhere {
    /// The numbers of an item, in its order.
    #[must_use]
    pub fn numbers(&self) -> [u64; 6] {
        let Self { function, on_main_thread, calls, time_ns, longest_ns, bytes } = *self;
        [function, on_main_thread.into(), calls, time_ns, longest_ns, bytes]
    }

    /// Reads the content of an item.
    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let content = content.get(..48)?;
        let number = |index: usize| u64_at(content, index * 8);
        Some(Self {
            function: number(0),
            on_main_thread: number(1) == 1,
            calls: number(2),
            time_ns: number(3),
            longest_ns: number(4),
            bytes: number(5),
        })
    }

    /// Puts the sums in the place of earlier ones of the same function and thread.
    pub(crate) fn replace_in(self, all: &mut Vec<Self>) {
        let key = |one: &Self| (one.function, one.on_main_thread);
        match all.iter_mut().find(|one| key(one) == key(&self)) {
            Some(earlier) => *earlier = self,
            None => all.push(self),
        }
    }
}
