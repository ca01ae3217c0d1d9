//! The helper's place among the threads that want a processor: behind the program's.

use std::mem;

use crate::own_thread::own_thread;

/// How much nicer than the program the helper is. The system gives a new thread the processor that
/// has the least to do, and counts a helper as important as the program's threads in full: so a
/// worker that begins meanwhile would begin on the processor of its creator. The helper is no nicer
/// than this, since it may hold a lock of the C library or of the kernel that a thread of the
/// program wants: where others take all processors, the helper is back after some 75 ms at most;
/// the nicest thread would need seconds.
const NICER: libc::c_int = 10;

/// Lowers the calling thread's priority: it takes no processor from others when it wakes, and only
/// a little of a processor that others want. What the system refuses stays as it is.
///
/// A helper of a program of a real-time class (`chrt`) leaves that class, too. At the program's
/// priority it would keep a processor from the program's threads until it sleeps (SCHED_FIFO), or
/// for whole slices (SCHED_RR). Behind them it may wait until one of them sleeps, or until the
/// system lets other classes run (5 % of the time unless configured otherwise); threads that find
/// no room meanwhile reserve it themselves.
pub(crate) fn step_back() {
    // SAFETY: zeros are valid parameters, and the calls change the calling thread only.
    unsafe {
        let parameters = mem::zeroed::<libc::sched_param>();
        // In a program of a lower class than SCHED_BATCH, the helper stays in that class.
        if libc::sched_getscheduler(0) != libc::SCHED_IDLE {
            libc::sched_setscheduler(0, libc::SCHED_BATCH, &parameters);
        }
        let thread = own_thread().unsigned_abs();
        let own = libc::getpriority(libc::PRIO_PROCESS, thread);
        libc::setpriority(libc::PRIO_PROCESS, thread, own + NICER);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{NICER, own_thread, step_back};

    /// Gives the calling thread the lowest priority of a real-time class; false if it may not.
    fn become_real_time(class: i32) -> bool {
        // SAFETY: valid parameters, for the calling thread.
        unsafe {
            let parameters =
                libc::sched_param { sched_priority: libc::sched_get_priority_min(class) };
            libc::sched_setscheduler(0, class, &parameters) == 0
        }
    }

    #[test]
    fn a_real_time_thread_leaves_its_class() {
        for class in [libc::SCHED_RR, libc::SCHED_FIFO] {
            let program = thread::spawn(move || {
                if !become_real_time(class) {
                    return None;
                }
                let behind = thread::spawn(|| {
                    let inherited = place().0;
                    step_back();
                    (inherited, place().0)
                });
                Some((behind.join().unwrap(), place().0))
            });
            if let Some((behind, stays)) = program.join().unwrap() {
                assert_eq!(behind, (class, libc::SCHED_BATCH));
                assert_eq!(stays, class);
            }
        }
    }

    /// The calling thread's class, and how nice it is.
    fn place() -> (i32, i32) {
        // SAFETY: questions about the calling thread.
        unsafe {
            let thread = own_thread().unsigned_abs();
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
