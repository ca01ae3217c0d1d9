//! The times at which a worker waits for work outside of regions: from the end of a region, or from
//! its first event, to its next order.
//!
//! A worker begins to idle when the barrier that ends its region is over and its implicit task has
//! ended. So the worker waits for that barrier if a listener wants to hear of this
//! (`emit::wants_region_end`). An idle worker executes no tasks: those of the region are complete
//! then, and those of the next one are for threads that have joined it.

use super::emit;
use super::kinds::Endpoint;
use super::record::ThreadRecord;

impl ThreadRecord {
    /// The calling worker, whose record this is, waits for work from now on.
    pub(crate) fn begin_idle(&self) {
        if emit::wants_idle() {
            self.is_idle.set(true);
            emit::idle(self, Endpoint::Begin);
        }
    }

    /// The calling worker, whose record this is, has got work or is about to end. A worker whose
    /// idle time no listener has heard of reports no end of it.
    pub(crate) fn end_idle(&self) {
        if self.is_idle.replace(false) {
            emit::idle(self, Endpoint::End);
        }
    }
}
