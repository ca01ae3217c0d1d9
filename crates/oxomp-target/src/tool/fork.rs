//! What tools see at fork(2): in the child the other threads are gone, with their callbacks and
//! with their question for a tool.

use super::{devices, encoder_2015, session};
use crate::sync::MutexGuard;

/// The locks of what tools see. No thread takes two of them.
#[derive(Debug)]
pub(crate) struct HeldAtFork {
    _known: MutexGuard<'static, Vec<devices::Known>>,
    _open: MutexGuard<'static, Vec<encoder_2015::OpenRegion>>,
}

impl HeldAtFork {
    /// Takes the locks.
    pub(crate) fn take() -> Self {
        Self { _known: devices::locked(), _open: encoder_2015::locked() }
    }

    /// In the child the calling thread is the only one.
    pub(crate) fn forget(&mut self) {
        session::forget_others();
    }
}
