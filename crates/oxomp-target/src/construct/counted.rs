//! The references of a construct: one to each entry, however many of its list items lie there
//! (OpenMP 5.2 §5.8.3).

use std::collections::BTreeSet;

use crate::mapping::CountKind;

/// The entries, by their keys, to which a construct has taken a reference, or given one back.
#[derive(Debug, Default)]
pub(super) struct Counted(BTreeSet<(usize, CountKind)>);

impl Counted {
    /// Whether this is the first call for a list item in the entry of key `key` and this count.
    pub(super) fn is_first(&mut self, key: usize, count: CountKind) -> bool {
        self.0.insert((key, count))
    }
}
