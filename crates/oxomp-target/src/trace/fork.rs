//! Traces at fork(2): the child has no delivery thread and no trace, and may start one.

use core::ops::ControlFlow;

use super::{delivery, handle};
use crate::fork::Visit;
use crate::offload::Offload;
use crate::sync::Child;

/// Has something done with the locks of the traces (`fork`).
pub(crate) fn each_lock(offload: Option<&Offload>, visit: &mut Visit<'_>) -> ControlFlow<()> {
    handle::each_lock(visit)?;
    if let Some(offload) = offload {
        offload.each_lock_of_traces(visit)?;
    }
    delivery::each_lock(visit)
}

/// In the child there is no delivery thread. Each device ends its trace.
pub(crate) fn after_fork(child: &Child) {
    handle::after_fork(child);
    delivery::after_fork(child);
}
