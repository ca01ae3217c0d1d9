//! A process that computes on one processor beside the benchmarks: this one.

use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

/// Computes until it is dropped.
#[derive(Debug)]
pub(super) struct Neighbour {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Neighbour {
    /// Starts to compute.
    pub(super) fn start() -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            while !flag.load(Relaxed) {
                hint::spin_loop();
            }
        });
        Self { is_over, thread: Some(thread) }
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that only looks at a flag does not panic.
            let _ = thread.join();
        }
    }
}
