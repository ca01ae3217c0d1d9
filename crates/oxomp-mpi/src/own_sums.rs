//! The variable that the collector finds, and the sums of the calls that it does not take.

use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use oxomp_sys::mpi::{
    MOST_CALLS, VERSION, oxomp_mpi_call_t, oxomp_mpi_ended_t, oxomp_mpi_sums_t, oxomp_mpi_t,
};

use crate::functions::FUNCTIONS;

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
};

/// Tells the collector of a call, or adds it to the own sums.
pub(crate) fn tell(call: &oxomp_mpi_call_t) {
    // Acquire: pairs with the collector's store, so that its function finds what it needs.
    let ended = oxomp_mpi.ended.load(Ordering::Acquire);
    if !ended.is_null() {
        // SAFETY: the collector has put a function of this type there, and is never unloaded.
        let taken = unsafe {
            let ended = std::mem::transmute::<*mut (), oxomp_mpi_ended_t>(ended);
            ended(call)
        };
        if taken != 0 {
            return;
        }
    }
    let all = if is_main_thread() { &MAIN_THREAD } else { &OTHER_THREADS };
    let Some(sums) = all.get(call.function as usize) else { return };
    let time = call.end_ns.saturating_sub(call.begin_ns);
    sums.calls.fetch_add(1, Relaxed);
    sums.time_ns.fetch_add(time, Relaxed);
    sums.longest_ns.fetch_max(time, Relaxed);
    sums.bytes.fetch_add(call.bytes, Relaxed);
}

fn is_main_thread() -> bool {
    // SAFETY: both only ask the system.
    unsafe { libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid()) }
}

#[cfg(test)]
mod tests {
    use oxomp_sys::mpi::oxomp_mpi_call_t;

    use super::{OTHER_THREADS, Relaxed, tell};

    #[test]
    fn calls_without_a_collector_are_added_up() {
        for (begin_ns, end_ns) in [(10, 15), (20, 22)] {
            tell(&oxomp_mpi_call_t { function: 1, begin_ns, end_ns, bytes: 8 });
        }
        let sums = &OTHER_THREADS[1];
        let all = [&sums.calls, &sums.time_ns, &sums.longest_ns, &sums.bytes];
        assert_eq!(all.map(|sum| sum.load(Relaxed)), [2, 7, 5, 16]);
    }
}
