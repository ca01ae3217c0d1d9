//! Items that a construct refuses: what its mistakes tell about them.

use std::ops::Range;

use super::Construct;
use crate::item::MapItem;
use crate::report::{MAP_TYPE, Mistake, Place};

impl Construct<'_> {
    /// Refuses an item that is not in the address space.
    pub(super) fn check_size(&self, item: &MapItem) -> Result<(), Mistake> {
        match item.impossible_size() {
            None => Ok(()),
            size => Err(self.impossible(item, size)),
        }
    }

    pub(super) fn impossible(&self, item: &MapItem, bytes: Option<i64>) -> Mistake {
        Mistake::Impossible { place: self.place_of(item, &(item.begin..item.begin)), bytes }
    }

    /// An item of a map clause with the modifier `present` that is absent.
    pub(super) fn not_present(&self, item: &MapItem, host: &Range<usize>) -> Mistake {
        Mistake::NotPresent { place: self.place_of(item, host), modifier: MAP_TYPE }
    }

    /// The memory of an item, as messages name it.
    pub(super) fn place_of(&self, item: &MapItem, host: &Range<usize>) -> Place {
        Place::new(item.name, host.clone(), &self.location)
    }
}
