//! Events of the kernel's perf_event_open(2), for the calling thread.

use std::ffi::{c_int, c_long, c_ulong};
use std::io;

use crate::descriptor;

/// `struct perf_event_attr` of the first version, which every kernel takes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EventAttributes {
    pub(crate) kind: u32,
    pub(crate) size: u32,
    pub(crate) config: u64,
    pub(crate) sample_period: u64,
    pub(crate) sample_type: u64,
    pub(crate) read_format: u64,
    pub(crate) flags: u64,
    pub(crate) wakeup_events: u32,
    pub(crate) bp_type: u32,
    pub(crate) config1: u64,
}

/// The kinds of events.
pub(crate) const HARDWARE: u32 = 0;
pub(crate) const SOFTWARE: u32 = 1;
pub(crate) const CACHE: u32 = 3;
pub(crate) const RAW: u32 = 4;

pub(crate) const FLAG_DISABLED: u64 = 1 << 0;
pub(crate) const FLAG_EXCLUDE_KERNEL: u64 = 1 << 5;
pub(crate) const FLAG_EXCLUDE_HV: u64 = 1 << 6;

const FLAG_FD_CLOEXEC: c_ulong = 1 << 3;
const F_SETSIG: c_int = 10;
const F_GETSIG: c_int = 11;

/// In place of a group's leader: the event is one itself.
pub(crate) const NO_LEADER: c_int = -1;

/// Opens an event of the calling thread, in the group of `leader`; returns a descriptor out of the
/// program's way.
pub(crate) fn open(attributes: &EventAttributes, leader: c_int) -> io::Result<c_int> {
    const CALLING_THREAD: libc::pid_t = 0;
    open_of(CALLING_THREAD, attributes, leader)
}

/// As [`open`], for the thread `tid` of this process.
pub(crate) fn open_of(
    tid: libc::pid_t,
    attributes: &EventAttributes,
    leader: c_int,
) -> io::Result<c_int> {
    let attributes = EventAttributes { size: size_of::<EventAttributes>() as u32, ..*attributes };
    // SAFETY: the attributes have the size that they say.
    let low = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            c_long::from(tid),
            -1 as c_long,
            c_long::from(leader),
            FLAG_FD_CLOEXEC,
        )
    };
    if low < 0 {
        return Err(io::Error::last_os_error());
    }
    descriptor::renumber(low as c_int)
}

/// Gives a descriptor of ours the property by which [`has_mark`] knows it: the `signal` that the
/// kernel would send for it.
pub(crate) fn mark(descriptor: c_int, signal: c_int) -> io::Result<()> {
    // SAFETY: a descriptor of ours.
    match unsafe { libc::fcntl(descriptor, F_SETSIG, signal) } {
        0.. => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether the descriptor still has the property that we gave it: a program may have closed ours
/// and opened another under its number.
pub(crate) fn has_mark(descriptor: c_int, signal: c_int) -> bool {
    // SAFETY: a question about a descriptor, which need not be open.
    unsafe { libc::fcntl(descriptor, F_GETSIG) == signal }
}

/// The error in words, without the number that the standard library adds.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error().unwrap_or(0);
    text.strip_suffix(&format!(" (os error {number})")).unwrap_or(&text).to_owned()
}
