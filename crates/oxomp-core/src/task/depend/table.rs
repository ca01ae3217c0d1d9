//! The storage locations that the children of one task depend on.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::DependenceKind;
use super::link::Link;
use crate::task::throttle::MostChildren;

/// The last two generations of a location: members of `current` wait for `previous`.
#[derive(Debug)]
pub(super) struct Location {
    pub(super) current: Option<Link>,
    pub(super) previous: Option<Link>,
    pub(super) kind: DependenceKind,
    /// Whether more tasks may join `current`.
    pub(super) is_open: bool,
}

/// What the children of a task have depended on so far. Of the generating task's thread alone.
#[derive(Debug, Default)]
pub(crate) struct DependenceTable {
    locations: HashMap<usize, Location, BuildHasherDefault<AddressHasher>>,
    /// The last task that depended on all memory: the generation before that of every location
    /// which is not in the table.
    pub(super) base: Option<Link>,
    /// Look for locations that nobody uses any more when there are so many.
    prune_at: usize,
    /// How many children may be unfinished.
    pub(in crate::task) most_children: MostChildren,
}

/// The fewest locations that are worth a look.
const PRUNE_FROM: usize = 256;

impl DependenceTable {
    /// The location at `address`.
    pub(super) fn location(&mut self, address: usize) -> &mut Location {
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

    /// The same, if a task has depended on it.
    pub(super) fn known(&mut self, address: usize) -> Option<&mut Location> {
        self.locations.get_mut(&address)
    }

    /// All of them.
    pub(super) fn locations(&mut self) -> impl Iterator<Item = &mut Location> {
        self.locations.values_mut()
    }

    pub(super) fn len(&self) -> usize {
        self.locations.len()
    }

    /// Every location starts anew, after `base`.
    pub(super) fn restart_after(&mut self, base: Link) {
        self.locations.clear();
        self.base = Some(base);
    }

    /// Forgets locations whose generations are over. Each location is looked at once for every time
    /// that the table doubled.
    #[cold]
    fn prune(&mut self) {
        self.locations.retain(|_, location| !location.is_over());
        self.prune_at = self.locations.len() * 2;
    }
}

impl Location {
    /// Whether a task with this dependence may run beside the members of `current`.
    pub(super) fn may_run_beside(&self, kind: DependenceKind) -> bool {
        kind == self.kind && matches!(kind, DependenceKind::In | DependenceKind::Inoutset)
    }

    /// Whether a task with this dependence would have to wait here.
    pub(super) fn would_wait(&self, kind: DependenceKind) -> bool {
        match self.may_run_beside(kind) {
            true => self.previous.as_ref().is_some_and(|previous| !previous.is_over()),
            false => !self.is_over(),
        }
    }

    /// Whether no task can wait for anything here. An open generation is over when its members are.
    pub(super) fn is_over(&self) -> bool {
        self.previous.as_ref().is_none_or(Link::is_over)
            && self.current.as_ref().is_none_or(|current| {
                if self.is_open { current.has_no_members() } else { current.is_over() }
            })
    }
}

/// Addresses are spread by multiplication; their low bits say little.
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
