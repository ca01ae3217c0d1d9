//! The event record: 32 bytes, one per OMPT callback worth keeping.

use crate::layout::{RECORD_SIZE, u16_at, u32_at, u64_at};

/// One event of one thread, as it lies in a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Record {
    /// Tick counter.
    pub tick: u64,
    /// OMPT's `codeptr_ra`, unless the [`EventKind`] defines another meaning.
    pub code: u64,
    /// The [`EventKind`] defines its meaning.
    pub value: u64,
    /// The [`EventKind`] defines its meaning.
    pub aux: u32,
    /// Number of an [`EventKind`].
    pub kind: u8,
    /// OMPT's enumeration that goes with the event: barrier kind, work type, mutex kind, …
    pub sub: u8,
    /// Of [`EventKind::FoldEnd`] the number of the window; else zero.
    pub window: u16,
}

const _: () = assert!(size_of::<Record>() == RECORD_SIZE);

/// The kind of an event, which defines the fields of its [`Record`]: those not mentioned are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EventKind {
    /// `value` the system's thread id, `sub` OMPT's thread type. First event of a thread.
    ThreadBegin = 1,
    /// Last event of a thread: OMPT's thread-end. `value` the thread's CPU time, ns.
    ThreadEnd = 2,
    /// `value` the region's number, unique in the file and never 0; `aux` the threads asked for;
    /// `sub` 1 for a league of teams; `code`.
    ParallelBegin = 3,
    /// `value` the region's number, `code`.
    ParallelEnd = 4,
    /// `value` the region's number, `aux` the team's size, `code` the thread's number in it.
    ImplicitBegin = 5,
    /// `value` the region's number. May come long after the region ended.
    ImplicitEnd = 6,
    /// A wait in a barrier, taskwait or taskgroup begins; `sub` OMPT's kind, `value` the region's
    /// number, `code`.
    WaitBegin = 7,
    /// The wait that [`EventKind::WaitBegin`] began is over, with the values of its fields. May
    /// come long after the region ended.
    WaitEnd = 8,
    /// `sub` OMPT's work type, `value` iterations, `code`.
    WorkBegin = 9,
    /// `sub` OMPT's work type, `value` chunks handed to this thread, or `u64::MAX` if the runtime
    /// reported none, `code`.
    WorkEnd = 10,
    /// The thread asks for a mutex: `sub` OMPT's mutex kind, `value` the wait id, `aux` OMPT's
    /// number of the implementation, `code`.
    MutexAcquire = 11,
    /// The thread has the mutex that it asked for: the fields of [`EventKind::MutexAcquire`], `aux`
    /// zero.
    MutexAcquired = 12,
    /// The thread has released a mutex: the fields of [`EventKind::MutexAcquire`], `aux` zero.
    MutexReleased = 13,
    /// The thread goes from one task to another: `sub` OMPT's status of the one left, `aux` 1 if
    /// the next one is explicit, else 0, `code` the construct of an explicit one.
    TaskSwitch = 14,
    /// The program paused the recording.
    Pause = 15,
    /// The recording goes on.
    Resume = 16,
    /// `value` events of this thread, which belong here, could not be recorded.
    Lost = 17,
    /// From here on the thread's events are not recorded; its sums ([`crate::fold`]) go on.
    /// `value`: the tick. Before version 1.4 it added up whole regions from here on, of which the
    /// first, at `code`, began at that tick.
    FoldBegin = 18,
    /// `value` ticks of what the thread did in its region, or outside every region, were spent
    /// waiting: `sub` a position of [`crate::fold::thread`]. Before version 1.4.
    Inner = 19,
    /// A construct for a device begins on the thread: `sub` OMPT's target kind, `aux` the device's
    /// number, `code`.
    TargetBegin = 20,
    /// The construct of [`EventKind::TargetBegin`] ends, with the values of its fields.
    TargetEnd = 21,
    /// The thread begins an operation of a device, for which it waits: `sub` OMPT's kind of data
    /// operation, or 0 for a kernel, `value` the bytes, or the teams that a kernel was asked to
    /// have, `aux` the device's number, `code`.
    DeviceBegin = 22,
    /// The operation of [`EventKind::DeviceBegin`] has ended, with the values of its fields.
    DeviceEnd = 23,
    /// The thread's events are recorded again, after [`EventKind::FoldBegin`]: since version 1.6.
    /// `window` tells the windows of the run apart in which threads record events. The thread is
    /// outside every region; or, if `value` is not 0, it has left a barrier inside the region of
    /// that number, at `code`: `aux` barriers of the region are behind it, and `sub` is 1 if it
    /// began the region.
    FoldEnd = 24,
    /// Before [`EventKind::FoldEnd`]: since [`EventKind::FoldBegin`] the thread spent `value` ticks
    /// on what `sub` says, a position of [`crate::fold::thread`]. One for each that is not 0.
    TimeSum = 25,
    /// A region that was under way when the recording began: `value` its number, `aux` the team's
    /// size, `sub` 1 if it is inside another region, `code`. Some thread of the region tells it,
    /// once, with the tick at which the recording began; the region has no
    /// [`EventKind::ParallelBegin`]. Since version 1.9.
    ParallelUnderWay = 26,
    /// The thread was in that region when the recording began: `value` the region's number, `aux`
    /// the number of its barriers behind the thread, counted from a number that is the same for all
    /// threads of the region, `code` the thread's number in it, `sub` 1 if the thread has begun the
    /// region. In place of [`EventKind::ImplicitBegin`]. Waits that were under way follow, with the
    /// same tick. What else the thread had begun is not recorded, but its end may be. Since version
    /// 1.9.
    ImplicitUnderWay = 27,
}

impl EventKind {
    /// Every kind, by number.
    pub const ALL: [EventKind; 27] = [
        EventKind::ThreadBegin,
        EventKind::ThreadEnd,
        EventKind::ParallelBegin,
        EventKind::ParallelEnd,
        EventKind::ImplicitBegin,
        EventKind::ImplicitEnd,
        EventKind::WaitBegin,
        EventKind::WaitEnd,
        EventKind::WorkBegin,
        EventKind::WorkEnd,
        EventKind::MutexAcquire,
        EventKind::MutexAcquired,
        EventKind::MutexReleased,
        EventKind::TaskSwitch,
        EventKind::Pause,
        EventKind::Resume,
        EventKind::Lost,
        EventKind::FoldBegin,
        EventKind::Inner,
        EventKind::TargetBegin,
        EventKind::TargetEnd,
        EventKind::DeviceBegin,
        EventKind::DeviceEnd,
        EventKind::FoldEnd,
        EventKind::TimeSum,
        EventKind::ParallelUnderWay,
        EventKind::ImplicitUnderWay,
    ];

    /// The kind with this number; `None` for one that a later version may have added.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Whether it says that a thread or a pause begins or ends: such events are in every recording.
    #[must_use]
    pub fn is_always_recorded(self) -> bool {
        matches!(self, Self::ThreadBegin | Self::ThreadEnd | Self::Pause | Self::Resume)
    }
}

impl Record {
    /// The kind of the event; `None` if this version does not know its number.
    #[must_use]
    pub fn event(&self) -> Option<EventKind> {
        EventKind::from_number(self.kind)
    }

    /// The record as bytes of a file.
    #[must_use]
    pub fn encode(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        bytes[..8].copy_from_slice(&self.tick.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.code.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.value.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.aux.to_le_bytes());
        bytes[28] = self.kind;
        bytes[29] = self.sub;
        bytes[30..].copy_from_slice(&self.window.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Self {
        Self {
            tick: u64_at(bytes, 0),
            code: u64_at(bytes, 8),
            value: u64_at(bytes, 16),
            aux: u32_at(bytes, 24),
            kind: bytes[28],
            sub: bytes[29],
            window: u16_at(bytes, 30),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EventKind, Record};

    #[test]
    fn kinds_are_numbered_in_order() {
        for (index, kind) in EventKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index + 1);
            assert_eq!(EventKind::from_number(kind as u8), Some(kind));
        }
        assert_eq!(EventKind::from_number(0), None);
        assert_eq!(EventKind::from_number(28), None);
    }

    #[test]
    fn a_record_survives_its_bytes() {
        let record =
            Record { tick: 1, code: 2, value: u64::MAX, aux: 4, kind: 5, sub: 6, window: 7 };
        assert_eq!(Record::decode(&record.encode()), record);
    }
}
