//! What a construct does with its list items at its end, and target exit data: references go, and
//! with the last one data come from the device and the entry is removed.

use std::collections::BTreeMap;
use std::ops::Range;

use super::transfer::Data;
use super::{Construct, count_kind, memory, serving};
use crate::info::{self, Direction, Note};
use crate::item::MapItem;
use crate::mapping::{POINTER_BYTES, Release};
use crate::report::Mistake;

/// What an item demands by itself.
fn release_of(item: &MapItem) -> Release {
    let map_type = item.map_type;
    Release {
        count: count_kind(item),
        releases_reference: map_type.parent().is_none() || map_type.is_pointer_and_object(),
        deletes: map_type.is_delete(),
        is_from: map_type.is_from(),
        is_always_from: map_type.is_from() && map_type.is_always(),
    }
}

/// A range that a construct unmaps.
#[derive(Clone, Debug)]
struct Unmapped {
    item: MapItem,
    host: Range<usize>,
    release: Release,
}

impl Unmapped {
    /// The memory of an item.
    fn memory(item: MapItem) -> Self {
        Self { item, host: memory(&item), release: release_of(&item) }
    }

    /// The pointer to an item's memory, unless the item is a member of a structure: the begin took
    /// a reference to the pointer, too.
    fn pointer(item: MapItem) -> Option<Self> {
        let map_type = item.map_type;
        let is_mapped = map_type.is_pointer_and_object() && map_type.parent().is_none();
        is_mapped.then(|| Self {
            item,
            host: item.base..item.base + POINTER_BYTES,
            release: Release { is_from: false, is_always_from: false, ..release_of(&item) },
        })
    }
}

/// The ranges of a construct in one entry.
#[derive(Debug, Default)]
struct Share {
    ranges: Vec<usize>,
    /// The first range that is not a member of a structure.
    giver: Option<usize>,
    /// Whether one of the ranges is deleted.
    deletes: bool,
}

impl Construct<'_> {
    /// Unmaps the items, the last first: members before their structure. If several items lie in
    /// one entry, the first gives the construct's reference back, when the data of all have come.
    pub fn end(&mut self, items: &[MapItem]) -> Result<(), Mistake> {
        let mut ranges = Vec::new();
        self.append(&mut ranges, items)?;
        self.choose_those_that_give_back(&mut ranges);
        ranges.iter().rev().try_for_each(|range| self.release(range))?;
        let mut detaching = items.iter().filter(|item| item.map_type.detaches());
        detaching.try_for_each(|item| self.detach(item))
    }

    /// Appends the memory of the items, and of the items that mappers make of them, in the order in
    /// which it was mapped.
    fn append(&self, ranges: &mut Vec<Unmapped>, items: &[MapItem]) -> Result<(), Mistake> {
        for &item in items.iter().filter(|item| item.map_type.is_mapped()) {
            self.check_size(&item)?;
            if let Some(items) = item.expand() {
                self.append(ranges, &items)?;
            } else if !item.map_type.is_attach() {
                ranges.extend(Unmapped::pointer(item));
                ranges.push(Unmapped::memory(item));
            }
        }
        Ok(())
    }

    /// Chooses, of the ranges in one entry, the one that gives the construct's reference back: the
    /// first that is not a member of a structure; without such a range, the first if all references
    /// go. All references go if one of the ranges is deleted: clang marks members so, but not their
    /// structure.
    fn choose_those_that_give_back(&self, ranges: &mut [Unmapped]) {
        let mut shares = BTreeMap::<_, Share>::new();
        {
            let table = self.device.table();
            for (index, Unmapped { item, host, release }) in ranges.iter().enumerate() {
                let Some(key) = serving(table.find(host), item) else { continue };
                let share = shares.entry((key, release.count)).or_default();
                share.ranges.push(index);
                share.deletes |= release.deletes;
                if release.releases_reference {
                    share.giver.get_or_insert(index);
                }
            }
        }
        for Share { ranges: of_entry, giver, deletes } in shares.into_values() {
            let giver = giver.or_else(|| of_entry.first().copied().filter(|_| deletes));
            for index in of_entry {
                let release = &mut ranges[index].release;
                release.releases_reference = giver == Some(index);
                release.deletes = deletes;
            }
        }
    }

    fn release(&mut self, range: &Unmapped) -> Result<(), Mistake> {
        let Unmapped { item, host, release } = range;
        let host = host.clone();
        let mut note = Note::default();
        let released = {
            let mut table = self.device.table();
            let released = match serving(table.find(&host), item) {
                Some(key) => {
                    if let Some(entry) = table.get(key) {
                        note = info::present(self.device.number, entry, &host, item, " (released)");
                    }
                    table.release(key, &host, release)
                }
                None => {
                    if let Some(entry) = table.overlapping(&host) {
                        let mistake = Mistake::extends(self.place_of(item, &host), entry);
                        if item.map_type.is_present() {
                            return Err(mistake);
                        }
                        note = info::skipped(self.device.number, &mistake, "it stays mapped");
                    }
                    None
                }
            };
            let is_missing = released.is_none() && !self.is_memory_unified;
            if is_missing && item.map_type.is_present() {
                return Err(self.not_present(item, &host));
            }
            released
        };
        drop(note);
        let Some(released) = released else { return Ok(()) };
        if host == memory(item) {
            self.note_leaving(item, released.address);
        }
        if let Some(leaving) = released.leaving {
            self.cleanup.leaving.push(leaving);
        }
        if let Some(ticket) = released.ticket {
            let turn = self.enter(ticket)?;
            if released.needs_transfer && !host.is_empty() {
                let data = Data { host, device: released.address, name: item.name };
                self.transfer(&turn, Direction::FromDevice, &data)?;
            }
            self.leave(turn)?;
        }
        Ok(())
    }
}
