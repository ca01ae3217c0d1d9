//! The variable that the collector finds, and the sums of the calls that it does not take.

use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::{ptr, slice};

use oxomp_sys::mpi::{
    EVENTS_TAKEN, MOST_CALLS, SUMS_TAKEN, VERSION, oxomp_mpi_call_t, oxomp_mpi_ended_t,
    oxomp_mpi_sums_t, oxomp_mpi_t,
};

use crate::functions::FUNCTIONS;
use crate::world::WORLD;

const COUNT: usize = FUNCTIONS.len();
const _: () = assert!(COUNT <= MOST_CALLS);

static MAIN_THREAD: [oxomp_mpi_sums_t; COUNT] = [const { oxomp_mpi_sums_t::new() }; COUNT];
static OTHER_THREADS: [oxomp_mpi_sums_t; COUNT] = [const { oxomp_mpi_sums_t::new() }; COUNT];

/// What the collector finds.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name of the interface")]
pub(crate) static oxomp_mpi: oxomp_mpi_t = oxomp_mpi_t {
    version: VERSION,
    count: COUNT as u32,
    functions: FUNCTIONS.as_ptr(),
    main_thread: MAIN_THREAD.as_ptr(),
    other_threads: OTHER_THREADS.as_ptr(),
    ended: AtomicPtr::new(ptr::null_mut()),
    used: AtomicU32::new(0),
    world: &raw const WORLD,
};

/// Tells the collector of a call, or adds it to the own sums.
pub(crate) fn tell(call: &oxomp_mpi_call_t) {
    // Acquire: pairs with the collector's store, so that its function finds what it needs.
    let ended = oxomp_mpi.ended.load(Ordering::Acquire);
    let mut taken = 0;
    if !ended.is_null() {
        // SAFETY: the collector has put a function of this type there, and is never unloaded.
        taken = unsafe {
            let ended = std::mem::transmute::<*mut (), oxomp_mpi_ended_t>(ended);
            ended(call)
        };
    }
    if taken & EVENTS_TAKEN == 0 && call.event_count > 0 {
        WORLD.left_out.fetch_add(weight(call), Relaxed);
    }
    if taken & SUMS_TAKEN != 0 {
        return;
    }
    let all = if is_main_thread() { &MAIN_THREAD } else { &OTHER_THREADS };
    let Some(sums) = all.get(call.function as usize) else { return };
    let time = call.end_ns.saturating_sub(call.begin_ns);
    sums.calls.fetch_add(1, Relaxed);
    sums.time_ns.fetch_add(time, Relaxed);
    sums.longest_ns.fetch_max(time, Relaxed);
    sums.bytes.fetch_add(call.bytes, Relaxed);
}

/// How many messages and operations the call's events stand for.
fn weight(call: &oxomp_mpi_call_t) -> u64 {
    // SAFETY: the caller has an array of so many, at least one, for the time of the call.
    let events = unsafe { slice::from_raw_parts(call.events, call.event_count) };
    events.iter().map(|event| 1 << event.thinning.min(63)).sum()
}

thread_local! {
    /// Whether the thread is the process's main one: 0 if it was not asked yet, 1 no, 2 yes.
    static IS_MAIN: Cell<u8> = const { Cell::new(0) };
}

/// Whether the calling thread is the process's main one.
pub(crate) fn is_main_thread() -> bool {
    IS_MAIN.with(|is_main| {
        if is_main.get() == 0 {
            // SAFETY: both only ask the system.
            let same = unsafe { libc::syscall(libc::SYS_gettid) == libc::getpid().into() };
            is_main.set(1 + u8::from(same));
        }
        is_main.get() == 2
    })
}

#[cfg(test)]
mod tests {
    use oxomp_sys::mpi::oxomp_mpi_call_t;

    use super::{OTHER_THREADS, Relaxed, ptr, tell};

    #[test]
    fn calls_without_a_collector_are_added_up() {
        for (begin_ns, end_ns) in [(10, 15), (20, 22)] {
            let (events, event_count) = (ptr::null(), 0);
            let bytes = 8;
            tell(&oxomp_mpi_call_t { function: 1, begin_ns, end_ns, bytes, events, event_count });
        }
        let sums = &OTHER_THREADS[1];
        let all = [&sums.calls, &sums.time_ns, &sums.longest_ns, &sums.bytes];
        assert_eq!(all.map(|sum| sum.load(Relaxed)), [2, 7, 5, 16]);
    }
}
