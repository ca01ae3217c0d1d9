//! Counts of running callbacks, so that the finalizer of a tool that ends before the others runs
//! after all of that tool's callbacks.
//!
//! Callbacks of other tools never pause, so the ending thread cannot wait until no callback runs.
//! Each callback counts itself in one of two rows. The ending thread directs new callbacks to the
//! other row and waits until the first row is empty; it does so twice, since a callback may have
//! chosen its row long before it counts itself (Invariant 7). A thread that ends a tool does not
//! count meanwhile, so two such threads do not wait for each other.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use crate::shard::{self, Shards};

static RUNNING: [Shards; 2] = [shard::zeros(), shard::zeros()];

/// The row that new callbacks use, modulo 2.
static ROW: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// How many callbacks the thread itself runs, by row: a tool may end in its own callback.
    static OWN: Cell<[u32; 2]> = const { Cell::new([0; 2]) };
    /// The part of the counts in which the outermost of these callbacks counts itself.
    static OUTERMOST: Cell<usize> = const { Cell::new(0) };
}

/// The calling thread may run callbacks, until this value is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    row: usize,
    part: usize,
}

impl Running {
    #[inline]
    pub(crate) fn enter() -> Self {
        let (row, part) = (ROW.load(SeqCst) % 2, shard::here());
        RUNNING[row][part].0.fetch_add(1, SeqCst);
        if OWN.get() == [0; 2] {
            OUTERMOST.set(part);
        }
        add(row, 1);
        Self { row, part }
    }
}

impl Drop for Running {
    #[inline]
    fn drop(&mut self) {
        add(self.row, u32::MAX);
        RUNNING[self.row][self.part].0.fetch_sub(1, SeqCst);
    }
}

/// The calling thread, in a callback of a tool that ends, does not count, until this value is
/// dropped. Callbacks of events that the tool raises meanwhile count themselves.
#[derive(Debug)]
pub(crate) struct Away {
    left: Option<(usize, usize)>,
}

/// Stops counting the calling thread's callback. In nested callbacks the thread counts all the
/// same: the callbacks around the innermost one may belong to other tools.
pub(crate) fn leave() -> Away {
    let row = match OWN.get() {
        [1, 0] => 0,
        [0, 1] => 1,
        _ => return Away { left: None },
    };
    let part = OUTERMOST.get();
    add(row, u32::MAX);
    RUNNING[row][part].0.fetch_sub(1, SeqCst);
    Away { left: Some((row, part)) }
}

impl Drop for Away {
    fn drop(&mut self) {
        if let Some((row, part)) = self.left {
            RUNNING[row][part].0.fetch_add(1, SeqCst);
            OUTERMOST.set(part);
            add(row, 1);
        }
    }
}

#[inline]
fn add(row: usize, count: u32) {
    OWN.with(|own| {
        let mut counts = own.get();
        counts[row] = counts[row].wrapping_add(count);
        own.set(counts);
    });
}

/// Returns when every callback that ran on another thread at the time of the call has returned, or
/// after two seconds: so a callback that hangs does not keep the process, and a callback whose
/// thread has no processor for a while is still waited for.
pub(crate) fn wait_for_others() {
    let deadline = Instant::now() + Duration::from_secs(2);
    for _ in 0..2 {
        let row = ROW.fetch_add(1, SeqCst) % 2;
        let own = u64::from(OWN.with(Cell::get)[row]);
        while count(row) > own && Instant::now() < deadline {
            std::thread::yield_now();
        }
    }
}

/// In the child of a fork, only the forking thread exists: forgets the callbacks of all others.
pub(crate) fn forget_others() {
    let own = OWN.with(Cell::get);
    for (row, parts) in RUNNING.iter().enumerate() {
        let others = count(row).saturating_sub(u64::from(own[row]));
        // The parts are only ever added up, and this thread subtracts its own later.
        parts[0].0.fetch_sub(others, SeqCst);
    }
}

/// The number of callbacks in a row: a single part may be below 0, the sum of all parts is not.
fn count(row: usize) -> u64 {
    RUNNING[row].iter().fold(0, |sum, part| sum.wrapping_add(part.0.load(SeqCst)))
}
