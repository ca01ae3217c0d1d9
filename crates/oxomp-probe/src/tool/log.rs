//! All events of the process, in the order in which the callbacks took the log.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::event::Event;

static EVENTS: Mutex<Vec<Event>> = Mutex::new(Vec::new());
static NEXT_ID: AtomicU64 = AtomicU64::new(1);
static NEXT_THREAD: AtomicUsize = AtomicUsize::new(0);

/// How long a check waits for what must happen "promptly": so long that a loaded machine does not
/// count as a deviation.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

thread_local! {
    static THREAD: usize = NEXT_THREAD.fetch_add(1, Ordering::Relaxed);
}

/// The calling native thread's number.
pub(crate) fn this_thread() -> usize {
    THREAD.with(|number| *number)
}

/// A number for a data word; no two are alike.
pub(crate) fn fresh_id() -> u64 {
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}

/// Appends an event.
pub(crate) fn push(event: Event) {
    lock().push(event);
}

/// Everything so far.
pub(crate) fn all() -> Vec<Event> {
    lock().clone()
}

/// How many events there are, to find later ones by [`since`].
pub(crate) fn mark() -> usize {
    lock().len()
}

/// The events after a mark.
pub(crate) fn since(mark: usize) -> Vec<Event> {
    lock()[mark..].to_vec()
}

/// Waits until the events after `mark` satisfy `condition`; tells whether they do.
pub(crate) fn wait_for(mark: usize, condition: impl Fn(&[Event]) -> bool) -> bool {
    wait_until(|| condition(&lock()[mark..]))
}

/// Waits until `condition` holds, as long as the checks' patience lasts.
pub(crate) fn wait_until(mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    loop {
        if condition() {
            return true;
        }
        if start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn lock() -> MutexGuard<'static, Vec<Event>> {
    EVENTS.lock().unwrap_or_else(PoisonError::into_inner)
}
