//! The mapping table of a device: a function of requests, without transfers or allocations.

use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Count, CountKind, Entry, Shared, Ticket};
use crate::location::ItemName;
use crate::plugin::Address;

/// The table. Its entries never overlap.
#[derive(Debug, Default)]
pub struct Table {
    entries: BTreeMap<usize, Entry>,
    /// Variables to which pointers on the device lead while they are mapped, by their begins: their
    /// ends, and where the pointers are.
    links: BTreeMap<usize, (usize, Address)>,
}

/// How a range of host memory relates to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// An entry, which begins at this host address, contains it.
    Within(usize),
    /// An entry, which begins at this host address, contains a part of it.
    Partly(usize),
    /// No entry has a byte of it.
    Absent,
}

/// What a construct that maps wants with a range.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub construct: u64,
    /// Which count it changes.
    pub count: CountKind,
    /// Whether it takes a reference.
    pub takes_reference: bool,
    /// Whether the data go to the device even if the range is present already.
    pub is_always_to: bool,
    /// Whether the data go to the device if the range is new there.
    pub is_to: bool,
}

/// What a construct knows of an entry that it makes.
#[derive(Debug)]
pub struct NewEntry {
    /// The host's memory.
    pub host: Range<usize>,
    /// The base of the list item.
    pub base: usize,
    /// The counterpart of the first byte.
    pub device: Address,
    /// The allocation that the entry owns.
    pub allocation: Option<Address>,
    /// The name of the list item, kept.
    pub name: ItemName,
    /// The location of the construct, as text.
    pub origin: Option<Arc<str>>,
}

/// What a construct that maps gets.
#[derive(Debug)]
pub struct Mapped {
    /// The device address of the range.
    pub address: Address,
    /// Whether the range was not present before.
    pub is_new: bool,
    /// Whether the data must be transferred in the turn of the ticket.
    pub needs_transfer: bool,
    /// The turn to take: to transfer, or to wait for others' transfers. `None` if neither is
    /// needed.
    pub ticket: Option<Ticket>,
    /// What the entry's transfers share, if the construct has to end the filling or to wait for it.
    pub filled: Option<Arc<Shared>>,
}

/// What a construct that unmaps wants with a range.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    /// Which count it changes.
    pub count: CountKind,
    /// Whether this range gives the construct's reference back, or all references if `deletes`.
    pub releases_reference: bool,
    /// Whether all references of that count go, with this range or with another range of the
    /// construct.
    pub deletes: bool,
    /// Whether the data come from the device if this was the last reference.
    pub is_from: bool,
    /// Whether the data come from the device even if they stay.
    pub is_always_from: bool,
}

/// What a construct that unmaps gets.
#[derive(Debug)]
pub struct Released {
    /// The device address of the range.
    pub address: Address,
    /// Whether the data must be transferred in the turn of the ticket.
    pub needs_transfer: bool,
    /// The turn to take.
    pub ticket: Option<Ticket>,
    /// The entry to remove when all operations are done.
    pub leaving: Option<(usize, Arc<Shared>)>,
}

impl Table {
    /// How the range relates to the table. Entries that are about to be removed count.
    ///
    /// A range of no bytes is an address to look up. An entry has the addresses from its first byte
    /// or its base, whichever is less, to its end or its base (OpenMP 5.2 §5.8.6): a look-up by the
    /// pointer's value finds the section that was mapped through it, though the section begins
    /// further on.
    #[must_use]
    pub fn find(&self, range: &Range<usize>) -> Match {
        if range.is_empty() {
            return self.find_address(range.start);
        }
        if let Some((&key, entry)) = self.entries.range(..=range.start).next_back()
            && range.start < entry.host.end
        {
            let is_within = range.end <= entry.host.end;
            return if is_within { Match::Within(key) } else { Match::Partly(key) };
        }
        match self.entries.range(range.start..range.end).next() {
            Some((&key, _)) => Match::Partly(key),
            None => Match::Absent,
        }
    }

    fn find_address(&self, address: usize) -> Match {
        if let Some((&key, entry)) = self.entries.range(..=address).next_back()
            && (address < entry.host.end || address < entry.base)
        {
            return Match::Within(key);
        }
        match self.entries.range(address..).next() {
            Some((&key, entry)) if address >= entry.base => Match::Within(key),
            _ => Match::Absent,
        }
    }

    /// The entry of that key.
    #[must_use]
    pub fn get(&self, key: usize) -> Option<&Entry> {
        self.entries.get(&key)
    }

    /// The entry that contains the range, if a construct has a reference to it.
    #[must_use]
    pub fn present(&self, range: &Range<usize>) -> Option<&Entry> {
        match self.find(range) {
            Match::Within(key) => self.get(key).filter(|entry| !entry.is_unreferenced()),
            _ => None,
        }
    }

    /// The first entry that contains a part of the range, if a construct has a reference to it.
    #[must_use]
    pub fn overlapping(&self, range: &Range<usize>) -> Option<&Entry> {
        match self.find(range) {
            Match::Within(key) | Match::Partly(key) => {
                self.get(key).filter(|entry| !entry.is_unreferenced())
            }
            Match::Absent => None,
        }
    }

    /// All entries, by their host addresses.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// Maps `range`, which the entry of key `key` contains: entirely, or in part (implicit mappings
    /// only). `None` if there is no such entry.
    pub fn map(&mut self, key: usize, range: &Range<usize>, request: &Request) -> Option<Mapped> {
        let entry = self.entries.get_mut(&key)?;
        // A construct that is removing the entry finds the new reference, and leaves the entry.
        let is_new = entry.is_unreferenced();
        if is_new {
            entry.filler = request.construct;
            entry.shared.gate.begin_filling();
        }
        let fills = entry.filler == request.construct;
        if request.takes_reference || is_new {
            entry.count(request.count).increment();
        }
        let needs_transfer = request.is_to && (fills || request.is_always_to);
        let takes_turn = needs_transfer || !entry.shared.gate.is_idle();
        Some(Mapped {
            address: entry.translate(range.start),
            is_new,
            needs_transfer,
            ticket: takes_turn.then(|| Ticket::take(&entry.shared)),
            filled: (is_new || (!fills && entry.shared.gate.is_filling()))
                .then(|| entry.shared.clone()),
        })
    }

    /// Inserts an entry for an absent range, with one reference.
    pub fn insert(&mut self, new: NewEntry, request: &Request) -> Mapped {
        let (key, shared) = (new.host.start, Arc::new(Shared::default()));
        let mapped = Mapped {
            address: new.device,
            is_new: true,
            needs_transfer: request.is_to,
            ticket: request.is_to.then(|| Ticket::take(&shared)),
            filled: Some(shared.clone()),
        };
        shared.gate.begin_filling();
        let mut entry = Entry {
            host: new.host,
            base: new.base,
            device: new.device,
            allocation: new.allocation,
            dynamic: Count::ZERO,
            hold: Count::ZERO,
            leaving: 0,
            filler: request.construct,
            name: new.name,
            origin: new.origin,
            shared,
        };
        entry.count(request.count).increment();
        self.entries.insert(key, entry);
        mapped
    }

    /// Inserts an entry that no construct releases. Returns whether the range was absent.
    pub fn insert_permanent(
        &mut self,
        range: Range<usize>,
        device: Address,
        name: ItemName,
    ) -> bool {
        if self.find(&range) != Match::Absent || range.is_empty() {
            return false;
        }
        let entry = Entry {
            base: range.start,
            device,
            allocation: None,
            dynamic: Count::Infinite,
            hold: Count::ZERO,
            leaving: 0,
            filler: 0,
            name,
            origin: None,
            shared: Arc::default(),
            host: range.clone(),
        };
        self.entries.insert(range.start, entry);
        true
    }

    /// Removes the permanent entry of key `key`, and returns it.
    pub fn remove_permanent(&mut self, key: usize) -> Option<Entry> {
        self.entries.get(&key).filter(|entry| entry.dynamic == Count::Infinite)?;
        self.entries.remove(&key)
    }

    /// Notes that the pointer at `pointer` leads to the counterpart of the variable at `host`.
    pub(crate) fn insert_link(&mut self, host: Range<usize>, pointer: Address) {
        self.links.insert(host.start, (host.end, pointer));
    }

    /// Forgets the pointer to the variable that begins at `host`.
    pub(crate) fn remove_link(&mut self, host: usize) {
        self.links.remove(&host);
    }

    /// The variables in `range` to which pointers on the device lead: where each begins, and where
    /// its pointer is.
    pub(crate) fn links_in(&self, range: &Range<usize>) -> Vec<(usize, Address)> {
        let first = self.links.range(..range.start).next_back().map_or(range.start, |it| *it.0);
        let links = self.links.range(first..range.end.max(first));
        let overlapping = links.filter(|(_, (end, _))| *end > range.start);
        overlapping.map(|(&begin, &(_, pointer))| (begin, pointer)).collect()
    }

    /// Releases the range, which the entry of key `key` contains. `None` if there is no such entry,
    /// or no reference to it.
    pub fn release(
        &mut self,
        key: usize,
        range: &Range<usize>,
        release: &Release,
    ) -> Option<Released> {
        let entry = self.entries.get_mut(&key).filter(|entry| !entry.is_unreferenced())?;
        let is_last = is_last(entry, release);
        if release.releases_reference {
            let count = entry.count(release.count);
            if release.deletes { count.reset() } else { count.decrement() }
        }
        let is_leaving = is_last && release.releases_reference;
        if is_leaving {
            entry.leaving += 1;
        }
        let needs_transfer = release.is_from && (is_last || release.is_always_from);
        let takes_turn = needs_transfer || !entry.shared.gate.is_idle();
        Some(Released {
            address: entry.translate(range.start),
            needs_transfer,
            ticket: takes_turn.then(|| Ticket::take(&entry.shared)),
            leaving: is_leaving.then(|| (entry.host.start, entry.shared.clone())),
        })
    }

    /// Ends the leaving of an entry whose last reference a construct released. If the entry still
    /// has no reference and no other construct is leaving it, removes and returns it.
    pub fn remove(&mut self, key: usize, shared: &Arc<Shared>) -> Option<Entry> {
        let entry = self.entries.get_mut(&key).filter(|it| Arc::ptr_eq(&it.shared, shared))?;
        entry.leaving -= 1;
        if entry.leaving > 0 || !entry.is_unreferenced() {
            return None;
        }
        self.entries.remove(&key)
    }

    /// Forgets the turns, fillings and removals that are going on, in the child of a fork, in which
    /// no thread is left to end them. The memory of entries that were to be removed stays
    /// allocated: the surviving thread may be in the construct that removes one, in a callback of a
    /// tool.
    pub fn forget_turns(&mut self) {
        self.entries.retain(|_, entry| {
            entry.shared = Arc::new(entry.shared.without_turns());
            entry.leaving = 0;
            !entry.is_unreferenced()
        });
    }

    /// A turn at the gate of the entry of key `key`.
    #[must_use]
    pub fn ticket(&self, key: usize) -> Option<Ticket> {
        self.get(key).map(|entry| Ticket::take(&entry.shared))
    }
}

/// Whether this release takes the last reference, or the release of the structure that the range is
/// a member of.
fn is_last(entry: &Entry, release: &Release) -> bool {
    let (this, other) = match release.count {
        CountKind::Dynamic => (entry.dynamic, entry.hold),
        CountKind::Hold => (entry.hold, entry.dynamic),
    };
    if !other.is_zero() {
        return false;
    }
    match this {
        Count::Infinite => false,
        Count::Finite(_) if release.deletes => true,
        Count::Finite(count) => count == 1,
    }
}
