//! Folded sums: totals that a thread updates in place, whether its events are recorded besides or
//! not.
//!
//! Times are ticks. A sum belongs to the thread in whose chunk it lies; readers add the threads up.

mod by_class;
mod completeness;
mod devices;
mod difference;
mod exclusion;
mod extremes;
mod fitting;
mod joining;
mod mpi_calls;
mod regions;
mod tasking;
mod time;
mod worksharing;

use crate::layout::{u32_at, u64_at};

pub use by_class::CLASSES;
pub(crate) use by_class::{is_time, keep_within, take_away, total};
pub use completeness::{counts, left_out};
pub use devices::{repeated, target, transfer};
pub(crate) use difference::{difference, is_unchanged};
pub use exclusion::{lock_tests, mutex, spread};
pub use extremes::Extremes;
pub(crate) use fitting::fit;
pub(crate) use joining::joined;
pub use mpi_calls::mpi;
pub use regions::{barrier, instances, region, starved};
pub use tasking::{forms, span, tasks};
pub use time::{scheduler, serial, short, thread};
pub use worksharing::{chunks, share, sinks};

/// Bytes of an entry.
pub const ENTRY_SIZE: usize = 128;

/// The sums of one thread under one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct FoldEntry {
    /// Number of a [`FoldKind`]; 0: unused. In the file, its upper half is the number of the phase
    /// of the program to which the sums belong, 0 outside every phase: [`FoldEntry::in_phase`].
    pub kind: u32,
    /// OMPT's kind of the barrier, mutex or worksharing construct that is summed up.
    pub sub: u32,
    /// Code addresses, as the kind says.
    pub key: [u64; 3],
    /// Sums, as the kind says; the modules below name the positions.
    pub values: [u64; 12],
}

const _: () = assert!(size_of::<FoldEntry>() == ENTRY_SIZE);

/// The place of a phase's number in that of a kind.
const PHASE_SHIFT: u32 = 16;

/// The kind of an entry, which defines its key and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum FoldKind {
    /// The thread's time: [`thread`]. `key[0]` says which of the threads of the stream it was, from
    /// 0. `key[2]` is not part of the key: twice the code address of the outermost region in which
    /// the thread was last, and 1 if it still was.
    Thread = 1,
    /// Outermost regions of the code address `key[0]`, or regions inside others if `sub` is 1:
    /// [`region`].
    /// Here and in all other keys, a region that a jump entered has the code of [`crate::inner`].
    Region = 2,
    /// Barriers at `key[0]` in the region at `key[1]`: [`barrier`]. `key[2]` is not part of the
    /// key: OMPT's work type of the worksharing construct at whose end the barrier stands, or 0.
    Barrier = 3,
    /// Mutexes asked for at `key[0]` in the region at `key[1]`: [`mutex`]. `key[2]` is not part of
    /// the key: how many of the acquisitions were only counted, so that the sums of the others
    /// stand for them, too.
    Mutex = 4,
    /// `values[0]`: how long `key[0]` waited for a holder that had acquired at `key[1]`.
    Blame = 5,
    /// An initial thread between the regions at `key[0]` and `key[1]`; 0: the thread's end.
    /// [`serial`].
    Serial = 6,
    /// Worksharing at `key[1]` in the region at `key[0]`: executions, iterations, chunks, and how
    /// many executions reported chunks. Iterations are counted once per team, executions and
    /// iterations of `distribute` once per league.
    Work = 7,
    /// Chunks of the worksharing construct at `key[1]` in the region at `key[0]`: [`chunks`].
    /// `key[2]` is not part of the key: the number of the loop's cost curve on the thread, from 1,
    /// or 0.
    Chunks = 8,
    /// Time in which user code in the region at `key[0]` did not compute, or, if that is 0, outside
    /// every region, after the one at `key[1]`: [`scheduler`]. Kept whether events are recorded or
    /// folded.
    Scheduler = 9,
    /// Explicit tasks of the construct at `key[0]` in the region at `key[1]`: [`tasks`]. Kept
    /// whether events are recorded or folded, as the kinds below.
    Tasks = 10,
    /// How many tasks of the construct at `key[0]` in the region at `key[1]` took how long, by
    /// [`tasks::bin`].
    TaskTimes = 11,
    /// The longest chains of tasks in the region at `key[0]`: [`span`].
    Span = 12,
    /// The thread's own part of the loop of static schedule at `key[1]` in the region at `key[0]`:
    /// [`share`]. Kept whether events are recorded or folded.
    Share = 13,
    /// How many outermost regions of the code address `key[0]` were recorded, timed, and only
    /// counted: [`instances`].
    Instances = 14,
    /// The thread's time in short folded regions: [`short`].
    Short = 15,
    /// Constructs of OMPT's target kind `sub` at `key[0]` for the device `key[1]`: [`target`]. Kept
    /// whether events are recorded or folded, as the kinds below.
    Target = 16,
    /// Data that were copied by the construct at `key[0]` to or from the device `key[1]`, as OMPT's
    /// kind of data operation in `sub` says: [`transfer`].
    Transfer = 17,
    /// Data at the host address `key[1]` that the construct at `key[0]` copied although a transfer
    /// before had copied them, in the direction of OMPT's kind of data operation in `sub`:
    /// [`repeated`]. The address 0 stands for those for which there was no room.
    Repeated = 18,
    /// Waits in outermost regions of the code address `key[0]`, or in regions inside others if
    /// `sub` is 1, while tasks were under way, none of them ready: [`starved`].
    Starved = 19,
    /// What the threads of the stream began and ended, counted at each event and apart from all
    /// other sums, which must agree with it: [`counts`].
    Counts = 20,
    /// What the sums leave out, since a table of the collector had no room for it: [`left_out`].
    LeftOut = 21,
    /// By how much the times of the [`FoldKind::Mutex`] entry with the same key may be wrong, if
    /// some of its acquisitions were only counted: [`spread`].
    Spread = 22,
    /// Explicit tasks of the construct at `key[0]` in the region at `key[1]` that are undeferred,
    /// or that outlive their code: [`forms`].
    TaskForms = 23,
    /// Calls of `omp_test_lock`, or of `omp_test_nest_lock` as OMPT's kind of mutex in `sub` says,
    /// at `key[0]` in the region at `key[1]`: [`lock_tests`].
    Tests = 24,
    /// Sinks of the doacross loop nest of the worksharing construct at `key[0]`, in a nest of `sub`
    /// loops, for iterations at the distance that is packed in `key[1]`: [`sinks`]. The `sub` 0
    /// stands for those at all other distances. `key[2]` is not part of the key: the code address
    /// of the region; 0: several regions.
    Sinks = 25,
    /// Calls of the MPI function whose number is `sub`, in the region at `key[0]`; 0: outside every
    /// region. [`mpi`].
    Mpi = 26,
}

impl FoldKind {
    /// Every kind, by number.
    pub const ALL: [FoldKind; 26] = [
        FoldKind::Thread,
        FoldKind::Region,
        FoldKind::Barrier,
        FoldKind::Mutex,
        FoldKind::Blame,
        FoldKind::Serial,
        FoldKind::Work,
        FoldKind::Chunks,
        FoldKind::Scheduler,
        FoldKind::Tasks,
        FoldKind::TaskTimes,
        FoldKind::Span,
        FoldKind::Share,
        FoldKind::Instances,
        FoldKind::Short,
        FoldKind::Target,
        FoldKind::Transfer,
        FoldKind::Repeated,
        FoldKind::Starved,
        FoldKind::Counts,
        FoldKind::LeftOut,
        FoldKind::Spread,
        FoldKind::TaskForms,
        FoldKind::Tests,
        FoldKind::Sinks,
        FoldKind::Mpi,
    ];
}

impl FoldEntry {
    /// The kind of the entry; `None` if this version does not know its number.
    #[must_use]
    pub fn fold_kind(&self) -> Option<FoldKind> {
        let index = usize::try_from(self.kind).ok()?.checked_sub(1)?;
        FoldKind::ALL.get(index).copied()
    }

    /// The number of a kind as it is in the file, of sums that belong to a phase.
    #[must_use]
    pub const fn in_phase(kind: FoldKind, phase: u16) -> u32 {
        (phase as u32) << PHASE_SHIFT | kind as u32
    }

    /// Whether the entry, as it is in the file, is of the kind.
    pub(crate) fn is_of(&self, kind: FoldKind) -> bool {
        self.without_phase().1.kind == kind as u32
    }

    /// For how long regions, or stretches of serial code, lasted, in ticks.
    pub(crate) fn length(&self) -> u64 {
        self.values[if self.is_of(FoldKind::Serial) { serial::TIME } else { region::WALL }]
    }

    /// Takes `ticks` away from the times of regions, or of stretches of serial code, as far as they
    /// have so many: returns how many. What threads did in them is taken to be spread evenly.
    pub(crate) fn shorten(&mut self, ticks: u64) -> u64 {
        let ticks = ticks.min(self.length());
        let whole = u128::from(self.length());
        let rest = whole.saturating_sub(u128::from(ticks));
        let is_serial = self.is_of(FoldKind::Serial);
        for (position, value) in self.values.iter_mut().enumerate() {
            let is_count = match position {
                serial::COUNT if is_serial => true,
                region::CALLS | region::SERIALIZED | region::TEAM => !is_serial,
                _ => false,
            };
            if !is_count && whole > 0 {
                *value = (u128::from(*value) * rest / whole) as u64;
            }
        }
        ticks
    }

    /// The entry as it is in the file, with sums that belong to the phase.
    pub(crate) fn with_phase(self, phase: u16) -> Self {
        Self { kind: self.kind | u32::from(phase) << PHASE_SHIFT, ..self }
    }

    /// The entry of the kind alone, and the number of the phase to which its sums belong.
    pub(crate) fn without_phase(self) -> (u16, Self) {
        let phase = (self.kind >> PHASE_SHIFT) as u16;
        (phase, Self { kind: self.kind & ((1 << PHASE_SHIFT) - 1), ..self })
    }

    /// What tells the entry from the others of its thread.
    pub(crate) fn identity(&self) -> (u32, u32, [u64; 2]) {
        (self.kind, self.sub, [self.key[0], self.key[1]])
    }

    /// The entries in use in a chunk's payload.
    pub(crate) fn read_all(payload: &[u8]) -> impl Iterator<Item = Self> + '_ {
        payload.chunks_exact(ENTRY_SIZE).map(Self::decode).filter(|entry| entry.kind != 0)
    }

    /// The entry as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; ENTRY_SIZE] {
        let mut bytes = [0; ENTRY_SIZE];
        bytes[..4].copy_from_slice(&self.kind.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.sub.to_le_bytes());
        let words = self.key.iter().chain(&self.values);
        for (place, word) in bytes[8..].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
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
