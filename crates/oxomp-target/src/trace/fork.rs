//! Traces at fork(2): the child has no delivery thread and no trace, and may start a trace.

use core::ops::ControlFlow;

use super::{delivery, handle};
use crate::sync::{Child, Visit};

/// Calls `visit` with each lock of the traces (`fork`); `of_devices` does so for the locks of the
/// devices' traces.
pub(crate) fn each_lock(
    visit: &mut Visit<'_>,
    of_devices: impl FnOnce(&mut Visit<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    handle::each_lock(visit)?;
    of_devices(visit)?;
    delivery::each_lock(visit)
}

/// In the child the delivery thread is gone. Each device ends its trace.
pub(crate) fn after_fork(child: &Child) {
    handle::after_fork(child);
    delivery::after_fork(child);
}
