//! The helper's place among the threads that want a processor: behind the program's.

use std::mem;

/// How much nicer than the program the helper is. The system gives a new thread the processor that
/// has the least to do, where a helper as important as the program's threads would count in full:
/// so a worker that begins meanwhile would begin on its creator's. No nicer, since the helper may
/// hold a lock of the C library or of the kernel that a thread of the program wants: where others
/// take all processors it is back after some 75 ms at most, where the nicest would need seconds.
const NICER: libc::c_int = 10;

/// Makes the calling thread one that takes no processor from others when it wakes, and little of
/// it where others want it. What the system refuses stays as it is.
pub(crate) fn step_back() {
    // SAFETY: zeros are valid parameters, and the calls change the calling thread only.
    unsafe {
        let parameters = mem::zeroed::<libc::sched_param>();
        // A program of lower class than SCHED_BATCH has a helper of that class.
        if libc::sched_getscheduler(0) != libc::SCHED_IDLE {
            libc::sched_setscheduler(0, libc::SCHED_BATCH, &parameters);
        }
        let thread = libc::gettid().unsigned_abs();
        let own = libc::getpriority(libc::PRIO_PROCESS, thread);
        libc::setpriority(libc::PRIO_PROCESS, thread, own + NICER);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{NICER, step_back};

    /// The calling thread's class, and how nice it is.
    fn place() -> (i32, i32) {
        // SAFETY: questions about the calling thread.
        unsafe {
            let thread = libc::gettid().unsigned_abs();
            (libc::sched_getscheduler(0), libc::getpriority(libc::PRIO_PROCESS, thread))
        }
    }

    #[test]
    fn the_thread_that_steps_back_is_alone_behind() {
        let before = place();
        let behind = thread::spawn(|| {
            step_back();
            place()
        });
        assert_eq!(behind.join().unwrap(), (libc::SCHED_BATCH, (before.1 + NICER).min(19)));
        assert_eq!(place(), before);
    }
}
