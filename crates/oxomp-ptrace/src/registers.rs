//! A stopped thread's registers.

use std::io;
use std::ptr;

use oxomp_arch::read::Registers;

use crate::Lwp;
use crate::request::checked;

/// The set of the general registers: the type of the note that has them in a core file.
const NT_PRSTATUS: usize = 1;

/// The registers of the stopped tracee `lwp`.
///
/// # Errors
///
/// The errors of `PTRACE_GETREGSET`, and an error for a tracee of 32 bits.
pub fn registers(lwp: Lwp) -> io::Result<Registers> {
    let mut words = [0_u64; Registers::WORDS];
    let mut set = libc::iovec {
        iov_base: words.as_mut_ptr().cast::<libc::c_void>(),
        iov_len: size_of_val(&words),
    };
    // SAFETY: the kernel writes at most `iov_len` bytes to the words, and the number of the bytes
    // to `iov_len`.
    checked(unsafe {
        libc::ptrace(
            libc::PTRACE_GETREGSET,
            lwp,
            ptr::without_provenance_mut::<libc::c_void>(NT_PRSTATUS),
            &raw mut set,
        )
    })?;
    if set.iov_len != size_of_val(&words) {
        let what = "the thread runs code of 32 bits";
        return Err(io::Error::new(io::ErrorKind::Unsupported, what));
    }
    Ok(Registers::from_words(&words))
}
