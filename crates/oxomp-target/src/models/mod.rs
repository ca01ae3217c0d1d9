//! Loom models of the protocols: every interleaving of few threads, of the crate's own code, on
//! loom's locks, atomics and threads (`sync`). Run with `cargo xtask test --only models`.

mod constructs;
mod gate;
mod libraries;
mod quiescence;
mod session;
mod tool;

use crate::host_runtime::HostRuntime;

/// Longer than a model takes: a deadline that never comes.
pub(crate) const LONG: std::time::Duration = std::time::Duration::from_secs(3600);

/// Checks all interleavings with at most `preemptions` preemptions of a thread that could go on.
pub(crate) fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    // One model at a time: the process registers its end once, with whichever model comes first.
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // The process finds its runtime once, outside of the interleavings.
    let _ = HostRuntime::get().thread_number();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 10_000;
    builder.check(model);
}

/// Runs `body` with each number below `threads`, 0 on this thread, and waits for all.
pub(crate) fn on_threads(threads: usize, body: impl Fn(usize) + Clone + Send + 'static) {
    let others: Vec<_> = (1..threads)
        .map(|me| {
            let body = body.clone();
            loom::thread::spawn(move || body(me))
        })
        .collect();
    body(0);
    for other in others {
        other.join().unwrap();
    }
}

/// Plain data: loom fails where the protocol does not order the accesses.
#[derive(Debug, Default)]
pub(crate) struct Data(loom::cell::UnsafeCell<u32>);

// SAFETY: loom checks every access.
unsafe impl Sync for Data {}
// SAFETY: as above.
unsafe impl Send for Data {}

impl Data {
    pub(crate) fn set(&self, value: u32) {
        // SAFETY: loom reports a race.
        self.0.with_mut(|data| unsafe { *data = value });
    }

    pub(crate) fn get(&self) -> u32 {
        // SAFETY: loom reports a race.
        self.0.with(|data| unsafe { *data })
    }
}
