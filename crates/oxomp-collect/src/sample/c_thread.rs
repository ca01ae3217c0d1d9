//! Whether a thread is one that the C library has made, with its own variables.
//!
//! A program may make threads by clone(2) itself, which share the variables of another thread, or
//! have none that the C library knows. A handler that used variables there would use another
//! thread's, or none. The C library keeps the number that the system has for a thread in the
//! thread's descriptor, whose address is its pthread_self. So a thread whose descriptor has its own
//! number is one of the C library's. Where in the descriptor the number is, a thread finds that is
//! known to be one.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::memory;
use crate::own_thread::own_thread;

/// The bytes of a descriptor that are looked at.
const LOOKED_AT: usize = 2048;
/// Where the number is in a descriptor; 0: not known.
static PLACE: AtomicUsize = AtomicUsize::new(0);

/// Finds the place of the number. The calling thread is one of the C library's. Returns whether it
/// is known.
pub(super) fn prepare() -> bool {
    let mut bytes = [0; LOOKED_AT];
    // SAFETY: the call has no arguments, and reads a variable of a thread that has variables.
    let descriptor = unsafe { libc::pthread_self() };
    if memory::copy(descriptor, &mut bytes) {
        let own = own_thread().to_ne_bytes();
        let place = bytes.chunks_exact(own.len()).position(|word| word == own);
        PLACE.store(place.map_or(0, |place| place * own.len()), Ordering::Relaxed);
    }
    PLACE.load(Ordering::Relaxed) != 0
}

/// Whether the calling thread, whose number is `tid`, is one of the C library's; then errno is as
/// it was. Signal-safe in any thread: what is read here of variables lies beside the place to which
/// the thread pointer points, which is mapped.
pub(super) fn is_own(tid: u32) -> bool {
    let place = PLACE.load(Ordering::Relaxed);
    // SAFETY: as above.
    let (descriptor, errno) = unsafe { (libc::pthread_self(), *libc::__errno_location()) };
    let mut number = [0; 4];
    let is_own = place != 0
        && memory::copy(descriptor.wrapping_add(place as u64), &mut number)
        && u32::from_ne_bytes(number) == tid;
    if is_own {
        // SAFETY: errno is this thread's.
        unsafe { *libc::__errno_location() = errno };
    }
    is_own
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{is_own, prepare};
    use crate::own_thread::own_thread;

    #[test]
    fn threads_of_the_c_library_are_known_by_their_descriptor() {
        assert!(prepare());
        let own = || own_thread().unsigned_abs();
        assert!(is_own(own()) && !is_own(own() + 1));
        thread::spawn(move || assert!(is_own(own()))).join().unwrap();
    }
}
