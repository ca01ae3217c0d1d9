//! What the checks need of the machine, whatever the runtime.

use std::io;
use std::thread;

use crate::verdict::{Verdict, refused};

/// As many as a check has at once: a team of four in each of two native threads.
const THREADS: usize = 8;

/// A fault if the machine refuses the threads that a check needs. A runtime that is refused one has
/// smaller teams, or ends the process, as it may.
pub(crate) fn require_threads() -> Verdict {
    let made = thread::scope(|scope| {
        for _ in 0..THREADS {
            thread::Builder::new().spawn_scoped(scope, thread::yield_now)?;
        }
        io::Result::Ok(())
    });
    made.map_err(|error| {
        refused("threads", "pthread_create", error.raw_os_error().unwrap_or_default())
    })
}
