//! Traces at fork(2): the child has no delivery thread and no trace, and may start one.
//!
//! The thread that forks holds all locks, so that the child gets them free and what they guard
//! whole. It takes those of the traces before the thread's, as others do.

use core::cell::RefCell;
use std::sync::{MutexGuard, Once};

use super::delivery::{self, Shared};
use super::handle;
use super::tracer::{State, Tracer};

/// The locks that the forking thread holds.
struct Held {
    known: MutexGuard<'static, Vec<&'static Tracer>>,
    traces: Vec<(&'static Tracer, MutexGuard<'static, State>)>,
    shared: MutexGuard<'static, Shared>,
}

thread_local! {
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

/// Prepares the process for forks, once.
pub(super) fn prepare() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        // SAFETY: the functions stay: the library is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    });
}

extern "C" fn before() {
    let known = handle::locked();
    let traces = known.iter().map(|tracer| (*tracer, tracer.locked())).collect();
    let held = Held { known, traces, shared: delivery::locked() };
    HELD.with(|place| *place.borrow_mut() = Some(held));
}

extern "C" fn in_parent() {
    drop(HELD.with(|place| place.borrow_mut().take()));
}

extern "C" fn in_child() {
    if let Some(mut held) = HELD.with(|place| place.borrow_mut().take()) {
        for (tracer, state) in &mut held.traces {
            tracer.forget(state);
        }
        held.shared.forget();
        drop(held.known);
    }
}
