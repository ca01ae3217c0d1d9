//! Iterations of doacross loop nests that wait for each other.

use ompt::Dependence;
use oxomp_trace::info::EventClass;

use super::collector::Collector;
use crate::{log, recording};

impl Collector {
    /// The thread has met a sink of a doacross loop nest.
    pub(super) fn sink(&self, vector: &[Dependence]) {
        if recording::is_on() && !log::only_counts() {
            log::handles(EventClass::Loops, |log| {
                log.sinks.meet(vector);
                true
            });
        }
    }

    /// The thread is at the source of an iteration of a doacross loop nest.
    pub(super) fn source(&self, vector: &[Dependence]) {
        self.untimed_event(EventClass::Loops, |log, store| {
            log.post(store, vector);
            Ok(())
        });
    }
}
