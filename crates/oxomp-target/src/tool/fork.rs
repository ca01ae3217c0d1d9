//! What tools see at fork(2): in the child the other threads are gone, with their callbacks and
//! with their question for a tool.

use oxomp_protocol::Alone;

use super::{devices, encoder_2015, session};
use crate::fork::AllLocks;

/// Takes the locks of what tools see, for the thread that forks the process. No thread takes two of
/// them.
pub(crate) fn hold(locks: &mut AllLocks) -> Option<()> {
    devices::hold(locks)?;
    encoder_2015::hold(locks)
}

/// In the child the calling thread is the only one.
pub(crate) fn after_fork(alone: &Alone) {
    devices::after_fork(alone);
    encoder_2015::after_fork(alone);
    session::forget_others();
}
