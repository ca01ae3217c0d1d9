//! The target update construct: data of entries go to the device or come from it.

use std::ops::Range;

use super::sections::Pieces;
use super::transfer::Data;
use super::{Construct, memory};
use crate::info::{self, Direction};
use crate::item::MapItem;
use crate::report::{self, Mistake};

/// Where the next array of dimensions after the array of `item` begins.
fn next_array(items: &[MapItem], item: &MapItem) -> Option<usize> {
    let others = items.iter().filter(|other| other.map_type.is_non_contiguous());
    others.map(|other| other.begin).filter(|begin| *begin > item.begin).min()
}

impl Construct<'_> {
    /// Transfers the items that are present.
    pub fn update(&mut self, items: &[MapItem]) -> Result<(), Mistake> {
        for item in items.iter().filter(|item| item.map_type.is_mapped()) {
            self.check_size(item)?;
            if let Some(expanded) = item.expand() {
                self.update(&expanded)?;
            } else if item.map_type.is_non_contiguous() {
                let dimensions = item.dimensions(next_array(items, item));
                let pieces = dimensions.and_then(|it| Pieces::new(item.base, &it));
                for piece in pieces.ok_or_else(|| self.impossible(item, None))? {
                    self.update_piece(item, piece)?;
                }
            } else if !item.map_type.is_attach() {
                self.update_piece(item, memory(item))?;
            }
        }
        Ok(())
    }

    fn update_piece(&mut self, item: &MapItem, host: Range<usize>) -> Result<(), Mistake> {
        let (address, ticket) = {
            let table = self.device.table();
            match table.present(&host) {
                Some(entry) => (entry.translate(host.start), table.ticket(entry.host.start)),
                None if self.is_memory_unified => return Ok(()),
                None => {
                    let place = self.place_of(item, &host);
                    let partly = table
                        .overlapping(&host)
                        .map(|entry| Mistake::extends(place.clone(), entry));
                    if item.map_type.is_present() {
                        return Err(Mistake::NotPresent { place, modifier: report::MOTION });
                    }
                    if let Some(mistake) = partly {
                        drop(table);
                        drop(info::skipped(self.device.number, &mistake, "nothing is transferred"));
                    }
                    return Ok(());
                }
            }
        };
        let Some(ticket) = ticket.filter(|_| !host.is_empty()) else { return Ok(()) };
        let turn = self.enter(ticket)?;
        let data = Data { host, device: address, name: item.name };
        if item.map_type.is_from() {
            self.transfer(&turn, Direction::FromDevice, &data)?;
        }
        if item.map_type.is_to() {
            self.transfer(&turn, Direction::ToDevice, &data)?;
        }
        Ok(self.leave(turn)?)
    }
}
