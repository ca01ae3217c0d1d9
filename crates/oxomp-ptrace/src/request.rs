//! The requests of ptrace(2).

use std::io;
use std::mem::MaybeUninit;
use std::ptr;

use libc::{c_long, c_void};

use crate::Lwp;

/// What came with a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignalDetails {
    /// The signal's number.
    pub number: i32,
    /// The kernel's reason: `SEGV_MAPERR`, `SI_USER` and the like.
    pub code: i32,
    /// The address of a fault; meaningful for faults only.
    pub address: u64,
}

/// Begins to trace the thread `lwp`, which runs on. `options` is a sum of `TRACE_…`.
///
/// # Errors
///
/// `EPERM` if tracing is not allowed, or if the thread is traced already or has ended; `ESRCH` if
/// no thread has this number.
pub fn seize(lwp: Lwp, options: i32) -> io::Result<()> {
    numbers(Request::Seize, lwp, options)
}

/// Stops a running tracee; the stop is reported with [`crate::EVENT_STOP`].
///
/// # Errors
///
/// `ESRCH` if the calling thread does not trace the thread.
pub fn interrupt(lwp: Lwp) -> io::Result<()> {
    numbers(Request::Interrupt, lwp, 0)
}

/// Lets a stopped tracee go on, and delivers `signal` if it is not 0 and the thread stopped for it.
///
/// # Errors
///
/// `ESRCH` if the thread is not stopped, or if the calling thread does not trace it.
pub fn resume(lwp: Lwp, signal: i32) -> io::Result<()> {
    numbers(Request::Resume, lwp, signal)
}

/// Leaves a tracee in the stop of its group, as it would be without a tracer.
///
/// # Errors
///
/// `EIO` or `ESRCH` unless the thread reported [`crate::EVENT_STOP`].
pub fn listen(lwp: Lwp) -> io::Result<()> {
    numbers(Request::Listen, lwp, 0)
}

/// Ends the tracing of a stopped tracee, and delivers `signal` if it is not 0 and the thread
/// stopped for it. A process whose group is stopped remains so.
///
/// # Errors
///
/// `ESRCH` if the thread is not stopped, or if the calling thread does not trace it.
pub fn detach(lwp: Lwp, signal: i32) -> io::Result<()> {
    numbers(Request::Detach, lwp, signal)
}

/// The number that belongs to the last event: the new thread of [`crate::EVENT_CLONE`], the former
/// number of the thread that called execve(2).
///
/// # Errors
///
/// `ESRCH` if the thread is not stopped, or if the calling thread does not trace it.
pub fn event_message(lwp: Lwp) -> io::Result<u64> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the kernel writes one unsigned long, to a local variable of that type.
    checked(unsafe {
        libc::ptrace(
            libc::PTRACE_GETEVENTMSG,
            lwp,
            ptr::null_mut::<c_void>(),
            (&raw mut message).cast::<c_void>(),
        )
    })?;
    Ok(message)
}

/// What came with the signal for which the tracee stopped.
///
/// # Errors
///
/// `EINVAL` if the thread did not stop for a signal; `ESRCH` if it is not stopped.
pub fn signal_details(lwp: Lwp) -> io::Result<SignalDetails> {
    let mut found = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the kernel writes one siginfo_t, to a local variable of that type.
    checked(unsafe {
        libc::ptrace(
            libc::PTRACE_GETSIGINFO,
            lwp,
            ptr::null_mut::<c_void>(),
            found.as_mut_ptr().cast::<c_void>(),
        )
    })?;
    // SAFETY: every bit pattern is a valid siginfo_t (integers and a union of such), and it began
    // as zeroes.
    let found = unsafe { found.assume_init() };
    // SAFETY: the union's first word is read as an integer, which any bit pattern is; whether it is
    // an address depends on the signal, as the field's documentation says.
    let address = unsafe { found.si_addr() } as u64;
    Ok(SignalDetails { number: found.si_signo, code: found.si_code, address })
}

/// The requests whose arguments are numbers.
enum Request {
    Seize,
    Interrupt,
    Resume,
    Listen,
    Detach,
}

fn numbers(request: Request, lwp: Lwp, data: i32) -> io::Result<()> {
    let request = match request {
        Request::Seize => libc::PTRACE_SEIZE,
        Request::Interrupt => libc::PTRACE_INTERRUPT,
        Request::Resume => libc::PTRACE_CONT,
        Request::Listen => libc::PTRACE_LISTEN,
        Request::Detach => libc::PTRACE_DETACH,
    };
    // SAFETY: these requests take the last argument as a number, and touch no memory of the caller.
    checked(unsafe { libc::ptrace(request, lwp, ptr::null_mut::<c_void>(), c_long::from(data)) })
}

pub(crate) fn checked(result: c_long) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
