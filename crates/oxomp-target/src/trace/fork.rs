//! Traces at fork(2): the child has no delivery thread and no trace, and may start one.
//!
//! `fork` of the crate holds the locks of traces while the process forks, so that the child gets
//! them free and what they guard whole.

use super::delivery::{self, DeliveryState};
use super::handle;
use super::tracer::{State, Tracer};
use crate::sync::MutexGuard;

/// The locks of all traces, in the order in which threads take several of them.
#[derive(Debug)]
pub(crate) struct HeldAtFork {
    _known: MutexGuard<'static, Vec<&'static Tracer>>,
    traces: Vec<(&'static Tracer, MutexGuard<'static, State>)>,
    shared: MutexGuard<'static, DeliveryState>,
}

impl HeldAtFork {
    /// Takes the locks.
    pub(crate) fn take() -> Self {
        let known = handle::locked();
        let traces = known.iter().map(|tracer| (*tracer, tracer.locked())).collect();
        Self { _known: known, traces, shared: delivery::locked() }
    }

    /// In the child there is no delivery thread and no trace.
    pub(crate) fn forget(&mut self) {
        for (tracer, state) in &mut self.traces {
            tracer.forget(state);
        }
        self.shared.forget();
    }
}
