//! An entry of a mapping table: a range of the host's memory and its counterpart.

use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Count, CountKind, Gate};
use crate::location::ItemName;
use crate::plugin::Address;
use crate::sync::{Mutex, lock};

/// The bytes of a pointer.
pub const POINTER_BYTES: usize = size_of::<usize>();

/// An entry. Only the holder of the table's lock sees it.
#[derive(Debug)]
pub struct Entry {
    /// The host's memory.
    pub host: Range<usize>,
    /// The base of the list item that made the entry.
    pub base: usize,
    /// The counterpart of the first byte.
    pub device: Address,
    /// The allocation that the entry owns; `None` for declare target variables and for associated
    /// memory.
    pub allocation: Option<Address>,
    /// The references of map clauses.
    pub dynamic: Count,
    /// The references of map clauses with `ompx_hold`.
    pub hold: Count,
    /// The construct that made the entry, or the last one that found it without references: this
    /// construct brings the data.
    pub filler: u64,
    /// The constructs that released the last reference and have not removed the entry.
    pub(super) leaving: u32,
    /// The name of the list item that made the entry, kept: the entry may outlive the library.
    pub name: ItemName,
    /// The location of the construct that made the entry, as text.
    pub origin: Option<Arc<str>>,
    /// What transfers share.
    pub shared: Arc<Shared>,
}

impl Entry {
    /// Whether no construct has a reference.
    #[must_use]
    pub fn is_unreferenced(&self) -> bool {
        self.dynamic.is_zero() && self.hold.is_zero()
    }

    /// The device address of a host address in or beside the entry.
    #[must_use]
    pub fn translate(&self, host: usize) -> Address {
        self.device.plus(host.wrapping_sub(self.host.start))
    }

    pub(super) fn count(&mut self, kind: CountKind) -> &mut Count {
        match kind {
            CountKind::Dynamic => &mut self.dynamic,
            CountKind::Hold => &mut self.hold,
        }
    }
}

/// What the transfers of an entry share; it outlives the entry while one of them goes on.
#[derive(Debug, Default)]
pub struct Shared {
    /// The order of the transfers.
    pub gate: Gate,
    attachments: Mutex<Attachments>,
}

impl Shared {
    /// A copy with a gate at which no thread has a turn. If a thread was changing the attachments,
    /// they are lost.
    pub(super) fn without_turns(&self) -> Self {
        let attachments = self.attachments.try_lock();
        let attachments = attachments.map(|mut it| core::mem::take(&mut *it));
        Self { gate: Gate::default(), attachments: Mutex::new(attachments.unwrap_or_default()) }
    }

    /// Whether the pointer at `pointer` is attached to `value` already; from now on it is.
    pub fn attach(&self, pointer: usize, value: Attached) -> bool {
        let previous = lock(&self.attachments).0.insert(pointer, value);
        previous == Some(value)
    }

    /// Whether the pointer at `pointer` was attached; it is not from now on.
    pub fn detach(&self, pointer: usize) -> bool {
        lock(&self.attachments).0.remove(&pointer).is_some()
    }

    /// The parts of `range` that no attached pointer overlaps: transfers leave attached pointers
    /// alone, on both sides (OpenMP 5.2 §5.8.3).
    #[must_use]
    pub fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        lock(&self.attachments).parts(range)
    }
}

/// The two values of an attached pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attached {
    /// The value on the host.
    pub host: usize,
    /// The value on the device.
    pub device: Address,
}

/// The attached pointers in an entry, by their host addresses.
#[derive(Debug, Default)]
pub struct Attachments(BTreeMap<usize, Attached>);

impl Attachments {
    fn parts(&self, range: Range<usize>) -> Vec<Range<usize>> {
        if self.0.is_empty() {
            return vec![range];
        }
        let mut parts = Vec::new();
        let mut from = range.start;
        let first = range.start.saturating_sub(POINTER_BYTES - 1);
        for (&pointer, _) in self.0.range(first..range.end) {
            if pointer > from {
                parts.push(from..pointer);
            }
            from = from.max(pointer + POINTER_BYTES);
        }
        if from < range.end {
            parts.push(from..range.end);
        }
        parts
    }
}
