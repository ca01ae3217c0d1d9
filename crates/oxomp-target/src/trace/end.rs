//! The end of all traces, with their tool.

use std::time::Instant;

use super::tracer::Tracer;
use super::{delivery, handle};

/// Ends all traces since the tool ends, also traces of devices that the program has never used. It
/// waits for the tool's functions, at most until the deadline.
pub(crate) fn finalize(deadline: Instant) {
    handle::all().into_iter().for_each(|tracer| tracer.finalize(deadline));
    // Until here the tool's function for buffers could use its handles, and start a trace again.
    handle::take_all().into_iter().for_each(Tracer::discard);
}

/// Ends all traces since the tool has ended; no function of the tool is called any more. If such a
/// function runs, waits for its end, at most until the deadline.
pub(crate) fn discard(deadline: Instant) {
    handle::all().into_iter().for_each(Tracer::discard);
    delivery::join(Some(deadline));
}
