//! What a construct does with its list items at its end, and target exit data: references go, and
//! with the last one data come from the device and the entry is removed.

use std::ops::Range;

use super::transfer::Data;
use super::{Construct, count_kind, memory, serving};
use crate::info::{self, Direction};
use crate::item::MapItem;
use crate::mapping::{POINTER_BYTES, Release};
use crate::report::Mistake;

impl Construct<'_> {
    /// Unmaps the items, the last first: members before their structure.
    pub fn end(&mut self, items: &[MapItem]) -> Result<(), Mistake> {
        for item in items.iter().rev().filter(|item| item.map_type.is_mapped()) {
            self.check_size(item)?;
            if let Some(expanded) = item.expand() {
                self.end(&expanded)?;
            } else if !item.map_type.is_attach() {
                self.end_item(item)?;
            }
        }
        Ok(())
    }

    fn end_item(&mut self, item: &MapItem) -> Result<(), Mistake> {
        let map_type = item.map_type;
        let is_object = map_type.is_pointer_and_object();
        let release = Release {
            count: count_kind(item),
            releases_reference: map_type.parent().is_none() || is_object,
            deletes: map_type.is_delete(),
            is_from: map_type.is_from(),
            is_always_from: map_type.is_from() && map_type.is_always(),
        };
        self.release(item, memory(item), &release)?;
        // The begin took a reference to the pointer too.
        if is_object && map_type.parent().is_none() {
            let release = Release { is_from: false, is_always_from: false, ..release };
            self.release(item, item.base..item.base + POINTER_BYTES, &release)?;
        }
        Ok(())
    }

    fn release(
        &mut self,
        item: &MapItem,
        host: Range<usize>,
        release: &Release,
    ) -> Result<(), Mistake> {
        let released = {
            let mut table = self.device.table();
            let released = match serving(table.find(&host), item) {
                Some(key) => {
                    if let Some(entry) = table.get(key) {
                        info::present(self.device.number, entry, &host, item, " (released)");
                    }
                    table.release(key, &host, release)
                }
                None => {
                    if let Some(entry) = table.overlapping(&host) {
                        let mistake = Mistake::extends(self.place_of(item, &host), entry);
                        if item.map_type.is_present() {
                            return Err(mistake);
                        }
                        info::skipped(self.device.number, &mistake, "it stays mapped");
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
