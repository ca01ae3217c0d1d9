//! The table of the storage locations that the children of one task depend on.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use oxomp_protocol::Alone;

use super::kind::DependenceKind;
use super::link::Link;
use crate::task::Task;

/// The last two generations of a location: members of `current` wait for `previous`.
#[derive(Debug)]
pub(in crate::task) struct Location {
    pub(in crate::task) current: Option<Link>,
    pub(in crate::task) previous: Option<Link>,
    pub(in crate::task) kind: DependenceKind,
    /// Whether more tasks may join `current`.
    pub(in crate::task) is_open: bool,
}

/// The storage locations that the children of a task have depended on so far. Accessed by the
/// generating task's thread only.
#[derive(Debug, Default)]
pub(crate) struct DependenceTable {
    locations: HashMap<usize, Location, BuildHasherDefault<AddressHasher>>,
    /// The generation of the last task that depended on all memory (`omp_all_memory`). It precedes
    /// the generations of every location that is not in the table.
    pub(in crate::task) base: Option<Link>,
    /// The number of locations at which the table is pruned next.
    prune_at: usize,
    /// The limit on unfinished children.
    pub(in crate::task) most_children: MostChildren,
}

/// The limit on the unfinished children of a task that generates dependent tasks.
#[derive(Clone, Copy, Debug)]
pub(in crate::task) struct MostChildren(u32);

impl Default for MostChildren {
    fn default() -> Self {
        MostChildren(1024)
    }
}

impl MostChildren {
    pub(in crate::task) fn new(most: u32) -> Self {
        MostChildren(most)
    }

    pub(in crate::task) fn get(self) -> u32 {
        self.0
    }
}

/// The smallest number of locations at which the table is pruned.
const PRUNE_FROM: usize = 256;

impl DependenceTable {
    /// The location at `address`.
    pub(in crate::task) fn location(&mut self, address: usize) -> &mut Location {
        if self.locations.len() >= self.prune_at.max(PRUNE_FROM) {
            self.prune();
        }
        match self.locations.entry(address) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Location {
                current: None,
                previous: self.base.clone(),
                kind: DependenceKind::Out,
                is_open: false,
            }),
        }
    }

    /// The location at `address`, if a child of the task has depended on it.
    pub(in crate::task) fn known(&mut self, address: usize) -> Option<&mut Location> {
        self.locations.get_mut(&address)
    }

    /// All locations in the table.
    pub(in crate::task) fn locations(&mut self) -> impl Iterator<Item = &mut Location> {
        self.locations.values_mut()
    }

    pub(in crate::task) fn len(&self) -> usize {
        self.locations.len()
    }

    /// Restarts every location after the generation `base`.
    pub(in crate::task) fn restart_after(&mut self, base: Link) {
        self.locations.clear();
        self.base = Some(base);
    }

    /// Removes locations whose generations are over. The scans cost amortized constant time: one
    /// scan each time the table has doubled.
    #[cold]
    fn prune(&mut self) {
        self.locations.retain(|_, location| !location.is_over());
        self.prune_at = self.locations.len() * 2;
    }
}

impl Task {
    /// Whether a child of the task has ties to other tasks, or had some that the task has not
    /// forgotten.
    #[inline(always)]
    pub(in crate::task) fn has_ties(&self) -> bool {
        // SAFETY: the task's thread looks, and holds no reference to the table across its looks.
        unsafe { (*self.table.as_ptr()).is_some() }
    }

    /// Calls `look` with the table of the task's children. During the call the task seems to have
    /// no children with ties.
    pub(in crate::task) fn with_table<R>(&self, look: impl FnOnce(&mut DependenceTable) -> R) -> R {
        let mut table = self.table.take().unwrap_or_default();
        let result = look(&mut table);
        self.table.set(Some(table));
        result
    }

    /// Calls `look` with the table of the task's children, if a child of the task has or had ties.
    #[inline(always)]
    pub(in crate::task) fn with_table_if_any<R>(
        &self,
        look: impl FnOnce(&mut DependenceTable) -> R,
    ) -> Option<R> {
        self.has_ties().then(|| self.with_table(look))
    }

    /// The limit on unfinished children of the task, if it has generated tasks that depend on
    /// others.
    #[inline(always)]
    pub(in crate::task) fn most_children(&self) -> Option<MostChildren> {
        self.with_table_if_any(|table| table.most_children)
    }

    /// Sets the limit on unfinished children, until the task forgets its children.
    #[inline(always)]
    pub(in crate::task) fn set_most_children(&self, most: MostChildren) {
        self.with_table_if_any(|table| table.most_children = most);
    }

    /// Drops the table: all children of the task are complete, or it generates no more.
    #[inline(always)]
    pub(in crate::task) fn forget_children(&self) {
        if self.has_ties() {
            self.forget_table();
        }
    }

    /// In the child of a fork(2): drops the table without freeing it, since threads that are gone
    /// may have been changing the generations that it refers to.
    pub(in crate::task) fn leave_children(&self, _: &Alone) {
        core::mem::forget(self.table.take());
    }

    #[cold]
    fn forget_table(&self) {
        // The generations need not be closed: a task that waits for a generation has closed it
        // before, so no task waits for an open one.
        drop(self.table.take());
    }
}

impl Location {
    /// Whether a task with this dependence may run concurrently with the members of `current`.
    pub(in crate::task) fn may_run_beside(&self, kind: DependenceKind) -> bool {
        kind == self.kind && matches!(kind, DependenceKind::In | DependenceKind::Inoutset)
    }

    /// Whether a task with this dependence would have to wait for tasks that depend on this
    /// location.
    pub(in crate::task) fn would_wait(&self, kind: DependenceKind) -> bool {
        match self.may_run_beside(kind) {
            true => self.previous.as_ref().is_some_and(|previous| !previous.is_over()),
            false => !self.is_over(),
        }
    }

    /// Whether no task would have to wait at this location. An open generation is over when its
    /// members are complete.
    pub(in crate::task) fn is_over(&self) -> bool {
        self.previous.as_ref().is_none_or(Link::is_over)
            && self.current.as_ref().is_none_or(|current| {
                if self.is_open { current.has_no_members() } else { current.is_over() }
            })
    }
}

/// Hashes addresses by multiplication, since their low bits differ little.
#[derive(Debug, Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, value: usize) {
        // 2^64 divided by the golden ratio; the table uses high and low bits.
        let product = (self.0 ^ value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }
}
