//! The memory, the clock and the processors of the host.

use core::ffi::c_void;

use oxomp_target::plugin::{ALIGNMENT, Address};

/// The bytes of a word. The word before the memory holds the address that malloc returned.
const WORD: usize = size_of::<*mut c_void>();

/// Allocates memory; `None` without so much memory.
///
/// malloc reuses large blocks. posix_memalign gives the memory of large blocks back to the system
/// each time, and then a transfer of a megabyte takes twice as long.
pub(crate) fn allocate(bytes: usize) -> Option<Address> {
    // malloc's own alignment leaves room for the word.
    let total = bytes.checked_add(ALIGNMENT)?;
    // SAFETY: malloc has no precondition.
    let block = unsafe { libc::malloc(total) };
    if block.is_null() {
        return None;
    }
    let offset = ALIGNMENT - block.addr() % ALIGNMENT;
    let memory = block.wrapping_byte_add(offset);
    // SAFETY: the offset is a multiple of malloc's alignment, hence at least a word, and at most
    // what was added.
    unsafe { memory.byte_sub(WORD).cast::<*mut c_void>().write(block) };
    Some(Address(memory.expose_provenance()))
}

/// Frees memory.
///
/// # Safety
/// `allocate` returned it, and nobody uses it.
pub(crate) unsafe fn free(address: Address) {
    // SAFETY: the word before the memory is malloc's block (`allocate`).
    unsafe { libc::free(address.as_ptr().byte_sub(WORD).cast::<*mut c_void>().read()) };
}

/// The processor that executes the calling thread; `None` if the system does not tell.
pub(crate) fn current_processor() -> Option<u32> {
    // SAFETY: sched_getcpu has no precondition.
    u32::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// The time of the monotonic clock.
pub(crate) fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is this function's own.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
