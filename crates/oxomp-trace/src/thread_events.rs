//! What a recording has of one thread.

use crate::event::{EventKind, Record};
use crate::fold::FoldEntry;

/// The recording of one thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadEvents {
    /// Number of the thread: that of its stream in the file, or, for a thread that continued the
    /// stream of another, a number above all of those.
    pub number: u32,
    /// Its events, in the order in which it recorded them.
    pub records: Vec<Record>,
    /// The sums that it updated instead of recording events.
    pub folded: Vec<FoldEntry>,
}

/// A sum of a thread that belongs to one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhasedSum {
    /// The number of the thread's stream.
    pub thread: u32,
    /// The number of the phase; 0: outside every phase.
    pub phase: u16,
    /// The sum.
    pub entry: FoldEntry,
}

/// The begins and ends of a stream's threads and pauses at other moments, which `place` gives, as a
/// recording has them that has sums from the begin of its threads on.
pub(crate) fn placed(records: &[Record], place: impl Fn(u64) -> u64) -> Vec<Record> {
    let mut events = Vec::with_capacity(2 * records.len().min(64));
    for record in records {
        let Some(kind) = record.event().filter(|kind| kind.is_always_recorded()) else { continue };
        let at = Record { tick: place(record.tick), ..*record };
        events.push(at);
        if kind == EventKind::ThreadBegin {
            let (kind, value) = (EventKind::FoldBegin as u8, at.tick);
            events.push(Record { tick: at.tick, value, kind, ..Record::default() });
        }
    }
    events
}
