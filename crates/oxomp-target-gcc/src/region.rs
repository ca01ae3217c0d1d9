//! Target data regions of gcc's code: the call for the end names neither device nor list items, so
//! each thread remembers those of its regions. A task is executed by one thread from its begin to
//! its end, and what a thread executes meanwhile ends before: so the regions of a thread are
//! nested.

use core::cell::RefCell;

use oxomp_target::item::MapItem;

thread_local! {
    /// The regions that the thread has begun and not ended, the innermost last; `None` for a region
    /// of the host.
    static REGIONS: RefCell<Vec<Option<DataRegion>>> = const { RefCell::new(Vec::new()) };
}

/// A region on a device.
#[derive(Debug)]
pub(crate) struct DataRegion {
    pub(crate) device: i64,
    pub(crate) items: Vec<MapItem>,
}

/// A region begins.
pub(crate) fn begins(region: Option<DataRegion>) {
    REGIONS.with_borrow_mut(|regions| regions.push(region));
}

/// The innermost region ends; `None` if it is the host's.
pub(crate) fn ends() -> Option<DataRegion> {
    REGIONS.with_borrow_mut(Vec::pop).flatten()
}
