//! Traces at fork(2): the child has no delivery thread and no trace, and may start one.

use oxomp_protocol::Alone;

use super::{Tracer, delivery, handle};
use crate::fork::AllLocks;

/// Takes the locks of the traces, for the thread that forks the process.
pub(crate) fn hold(
    tracers: impl Iterator<Item = &'static Tracer>,
    locks: &mut AllLocks,
) -> Option<()> {
    handle::hold(locks)?;
    for tracer in tracers {
        tracer.hold(locks)?;
    }
    delivery::hold(locks)
}

/// In the child there is no delivery thread. Each device ends its trace.
pub(crate) fn after_fork(alone: &Alone) {
    handle::after_fork(alone);
    delivery::after_fork(alone);
}
