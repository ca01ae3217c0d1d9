//! The end of all traces, with their tool.

use std::time::Instant;

use super::tracer::Tracer;
use super::{delivery, handle};

/// Ends all traces since the tool ends: those of devices, too, that the program has never used. It
/// waits for the tool's functions, at most until the deadline.
pub(crate) fn finalize(deadline: Instant) {
    handle::all().into_iter().for_each(|tracer| tracer.finalize(deadline));
    // Until here the tool's function for buffers could use its handles, and start a trace again.
    handle::take_all().into_iter().for_each(Tracer::discard);
}

/// Ends all traces since the tool has ended, and lets it hear nothing more. It waits for a function
/// of the tool that runs, at most until the deadline.
pub(crate) fn discard(deadline: Instant) {
    handle::all().into_iter().for_each(Tracer::discard);
    delivery::join(Some(deadline));
}
