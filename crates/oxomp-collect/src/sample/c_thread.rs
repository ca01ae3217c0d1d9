//! Whether a thread is one that the C library has made, with its own variables.
//!
//! A program may make threads by clone(2) itself, which share the variables of another thread, or
//! have none that the C library knows. A handler that used variables there, errno among them, would
//! use another thread's, or none. The C library keeps the number that the system has for a thread
//! in the thread's descriptor, whose address is its pthread_self. So a thread whose descriptor has
//! its own number is one of the C library's. Where in the descriptor the number is, a thread finds
//! that is known to be one.

use std::sync::atomic::{AtomicUsize, Ordering};

use oxomp_arch::kernel_call;

use crate::own_thread::own_thread;

/// The bytes of a descriptor that are looked at.
const LOOKED_AT: usize = 2048;
/// Where the number is in a descriptor; 0: not known.
static PLACE: AtomicUsize = AtomicUsize::new(0);

/// Finds the place of the number. The calling thread is one of the C library's. Returns whether it
/// is known.
pub(super) fn prepare() -> bool {
    let mut bytes = [0; LOOKED_AT];
    if copy(descriptor(), &mut bytes) {
        let own = own_thread().to_ne_bytes();
        let place = bytes.chunks_exact(own.len()).position(|word| word == own);
        PLACE.store(place.map_or(0, |place| place * own.len()), Ordering::Relaxed);
    }
    PLACE.load(Ordering::Relaxed) != 0
}

/// Whether the calling thread, whose number is `tid`, is one of the C library's. Signal-safe in any
/// thread, and leaves errno alone.
pub(super) fn is_own(tid: u32) -> bool {
    let place = PLACE.load(Ordering::Relaxed);
    let mut number = [0; 4];
    place != 0
        && copy(descriptor().wrapping_add(place as u64), &mut number)
        && u32::from_ne_bytes(number) == tid
}

/// The address of the calling thread's descriptor, if the C library has made it. The function reads
/// one word at the place to which the thread pointer points, or none: of a thread with another
/// thread pointer, whatever is there.
fn descriptor() -> u64 {
    // SAFETY: a thread whose thread pointer points nowhere could not call any function of the C
    // library, and the program's threads call some.
    unsafe { libc::pthread_self() }
}

/// Fills `place` with the bytes at `address` of this process; false if they are not all readable.
/// Uses no variable of the thread.
fn copy(address: u64, place: &mut [u8]) -> bool {
    let length = place.len();
    let ours = libc::iovec { iov_base: place.as_mut_ptr().cast(), iov_len: length };
    let theirs = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: length };
    // SAFETY: the call takes no arguments and no memory.
    let process = unsafe { libc::getpid() };
    let parts = [(&raw const ours).addr(), 1, (&raw const theirs).addr(), 1, 0];
    let [own, owns, other, others, flags] = parts;
    let arguments = [process as usize, own, owns, other, others, flags];
    // SAFETY: the kernel writes to `place` only, and returns an error where nothing is mapped.
    let copied = unsafe { kernel_call(libc::SYS_process_vm_readv as usize, arguments) };
    usize::try_from(copied) == Ok(length)
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
