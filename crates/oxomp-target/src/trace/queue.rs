//! The records that wait for a buffer of the tool.

use std::collections::VecDeque;

use super::callbacks::Callbacks;
use super::record::Record;

/// The records of a block of memory: enough to share its allocation, and about as many as the
/// recommended buffer has room for.
const BLOCK: usize = 512;

/// The most records and list items that may wait, together with operations that are not done: about
/// a gigabyte for a device. A tool that is so late does not take its records.
#[cfg(not(test))]
const MOST: usize = 1 << 23;
/// In tests, as many as there is memory for.
#[cfg(test)]
pub(super) const MOST: usize = 20_000;

/// The trace to which a record belongs, among all traces of the device, and the functions that take
/// the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Session {
    /// The number of the trace.
    pub(super) number: u64,
    /// The tool's functions.
    pub(super) callbacks: Callbacks,
}

/// Records of one trace, in the order of their creation.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) session: Session,
    pub(super) records: Vec<Record>,
    /// How much of [`MOST`] the block's records take.
    weight: usize,
}

/// All records that wait, of all traces.
#[derive(Debug, Default)]
pub(super) struct RecordQueue {
    blocks: VecDeque<Block>,
    waiting: usize,
    weight: usize,
    /// The operations that will become records when they are done: they count, too.
    pub(super) unfinished: usize,
    /// The records that have ever been appended.
    created: u64,
}

impl RecordQueue {
    /// Whether `more` further records may wait.
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.weight + self.unfinished + more <= MOST
    }

    /// Appends a record. Returns whether there was room.
    pub(super) fn push(&mut self, session: Session, record: Record) -> bool {
        let weight = record.weight();
        if !self.has_room(weight) {
            return false;
        }
        let last = self.blocks.back().is_some_and(|block| {
            block.session.number == session.number && block.records.len() < BLOCK
        });
        if !last {
            let mut records = Vec::new();
            if records.try_reserve_exact(BLOCK).is_err() || self.blocks.try_reserve(1).is_err() {
                return false;
            }
            self.blocks.push_back(Block { session, records, weight: 0 });
        }
        let Some(block) = self.blocks.back_mut() else { return false };
        block.records.push(record);
        block.weight += weight;
        self.weight += weight;
        self.waiting += 1;
        self.created += 1;
        true
    }

    /// Takes the oldest records.
    pub(super) fn take(&mut self) -> Option<Block> {
        let block = self.blocks.pop_front()?;
        self.waiting -= block.records.len();
        self.weight -= block.weight;
        Some(block)
    }

    /// Drops the records of a trace; returns how many.
    pub(super) fn drop_session(&mut self, number: u64) -> u64 {
        let before = self.waiting;
        self.blocks.retain(|block| block.session.number != number);
        self.waiting = self.blocks.iter().map(|block| block.records.len()).sum();
        self.weight = self.blocks.iter().map(|block| block.weight).sum();
        (before - self.waiting) as u64
    }

    /// Drops all records; returns how many.
    pub(super) fn drop_all(&mut self) -> u64 {
        self.blocks.clear();
        self.weight = 0;
        core::mem::take(&mut self.waiting) as u64
    }

    /// How many records wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many records there have ever been.
    pub(super) fn created(&self) -> u64 {
        self.created
    }
}
