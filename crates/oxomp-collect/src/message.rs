//! Messages on stderr; stdout is the program's.

use std::sync::atomic::{AtomicU64, Ordering};

use oxomp_trace::Rank;

/// The process's rank; above every rank if it has none.
static RANK: AtomicU64 = AtomicU64::new(u64::MAX);

/// From now on messages name the process's rank.
pub(crate) fn speak_for(rank: Option<&Rank>) {
    RANK.store(rank.map_or(u64::MAX, |rank| rank.number.into()), Ordering::Relaxed);
}

/// Prints `text` as a line of its own, in one write, so that lines of several threads do not mix.
pub(crate) fn print(text: &str) {
    let line = match RANK.load(Ordering::Relaxed) {
        u64::MAX => format!("oxomp: {text}\n"),
        rank => format!("oxomp: rank {rank}: {text}\n"),
    };
    // SAFETY: the buffer has the given length. A failure is ignored: stderr may be closed.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}
