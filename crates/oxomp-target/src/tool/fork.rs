//! What tools see at fork(2): in the child the other threads are gone, with their callbacks and
//! their calls that ask the host runtime for a tool.

use core::ops::ControlFlow;

use super::{devices, encoder_2015, session};
use crate::sync::{Child, Visit};

/// Calls `visit` with each lock of this module (`fork`). No thread takes two of them.
pub(crate) fn each_lock(visit: &mut Visit<'_>) -> ControlFlow<()> {
    devices::each_lock(visit)?;
    encoder_2015::each_lock(visit)
}

/// In the child the calling thread is the only one.
pub(crate) fn after_fork(child: &Child) {
    devices::after_fork(child);
    encoder_2015::after_fork(child);
    session::forget_others();
}
