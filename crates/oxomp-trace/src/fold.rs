//! Folded sums: what a thread adds up in place once recording every event would take too much.
//!
//! Times are ticks. A sum belongs to the thread in whose chunk it lies; readers add up.

use crate::layout::{u32_at, u64_at};

/// Bytes of an entry.
pub const ENTRY_SIZE: usize = 128;

/// The sums of one thread under one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct FoldEntry {
    /// Number of a [`FoldKind`]; 0: unused.
    pub kind: u32,
    /// OMPT's kind of what is summed up: barrier, mutex, work.
    pub sub: u32,
    /// Code addresses, as the kind says.
    pub key: [u64; 3],
    /// As the kind says; one of the modules below names the positions.
    pub values: [u64; 12],
}

const _: () = assert!(size_of::<FoldEntry>() == ENTRY_SIZE);

/// What an entry sums up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum FoldKind {
    /// The thread's time since it folds whole regions: [`thread`].
    Thread = 1,
    /// Outermost regions of the code address `key[0]`: [`region`].
    Region = 2,
    /// Barriers at `key[0]` in the region at `key[1]`: [`barrier`].
    Barrier = 3,
    /// Mutexes asked for at `key[0]`: [`mutex`].
    Mutex = 4,
    /// `values[0]`: how long `key[0]` waited for a holder that had acquired at `key[1]`.
    Blame = 5,
    /// An initial thread between the regions at `key[0]` and `key[1]`; 0: the thread's end.
    /// Count, sum, longest.
    Serial = 6,
    /// Worksharing at `key[1]` in the region at `key[0]`: executions, iterations, chunks, and how
    /// many executions reported chunks.
    Work = 7,
}

/// Positions in a [`FoldKind::Thread`] entry.
pub mod thread {
    pub const USEFUL: usize = 0;
    pub const SERIAL: usize = 1;
    pub const IMBALANCE: usize = 2;
    pub const BARRIER: usize = 3;
    pub const MUTEX: usize = 4;
    pub const TASKWAIT: usize = 5;
    pub const FORK_JOIN: usize = 6;
    pub const SERIAL_IDLE: usize = 7;
    pub const SPARE_IDLE: usize = 8;
    /// Not a time: the tick up to which the time is in the sums.
    pub const UNTIL: usize = 9;
    /// Not a time: events that stand for nothing here (regions inside folded ones).
    pub const HIDDEN: usize = 10;
    /// Not a time: constructs that were folded.
    pub const FOLDED: usize = 11;
}

/// Positions in a [`FoldKind::Region`] entry. The gains are per instance divided by the team.
pub mod region {
    pub const CALLS: usize = 0;
    pub const WALL: usize = 1;
    /// Smallest team in the upper half, largest in the lower.
    pub const TEAM: usize = 2;
    pub const SERIALIZED: usize = 3;
    pub const USEFUL: usize = 4;
    pub const MEAN_USEFUL: usize = 5;
    pub const MAX_USEFUL: usize = 6;
    pub const IMBALANCE: usize = 7;
    pub const BARRIER: usize = 8;
    pub const MUTEX: usize = 9;
    pub const TASKWAIT: usize = 10;
    pub const FORK_JOIN: usize = 11;
}

/// Positions in a [`FoldKind::Barrier`] entry.
pub mod barrier {
    pub const PASSES: usize = 0;
    pub const IMBALANCE: usize = 1;
    pub const COST: usize = 2;
}

/// Positions in a [`FoldKind::Mutex`] entry.
pub mod mutex {
    pub const ACQUISITIONS: usize = 0;
    pub const CONTENDED: usize = 1;
    pub const WAIT: usize = 2;
    pub const MAX_WAIT: usize = 3;
    pub const HOLD: usize = 4;
    pub const MAX_HOLD: usize = 5;
    pub const HANDOFF: usize = 6;
    pub const UNATTRIBUTED: usize = 7;
}

impl FoldKind {
    /// Every kind, by number.
    pub const ALL: [FoldKind; 7] = [
        FoldKind::Thread,
        FoldKind::Region,
        FoldKind::Barrier,
        FoldKind::Mutex,
        FoldKind::Blame,
        FoldKind::Serial,
        FoldKind::Work,
    ];
}

impl FoldEntry {
    /// What it sums up; `None` if this version does not know.
    #[must_use]
    pub fn fold_kind(&self) -> Option<FoldKind> {
        let index = usize::try_from(self.kind).ok()?.checked_sub(1)?;
        FoldKind::ALL.get(index).copied()
    }

    /// The entries in use in a chunk's payload.
    pub(crate) fn read_all(payload: &[u8]) -> impl Iterator<Item = Self> + '_ {
        payload.chunks_exact(ENTRY_SIZE).map(Self::decode).filter(|entry| entry.kind != 0)
    }

    fn decode(bytes: &[u8]) -> Self {
        let mut entry = Self { kind: u32_at(bytes, 0), sub: u32_at(bytes, 4), ..Self::default() };
        for (index, key) in entry.key.iter_mut().enumerate() {
            *key = u64_at(bytes, 8 + index * 8);
        }
        for (index, value) in entry.values.iter_mut().enumerate() {
            *value = u64_at(bytes, 32 + index * 8);
        }
        entry
    }
}
