//! The source of a thread's sampling signals.
//!
//! Both sources are armed for one signal, and armed again by the handler: a thread has at most one
//! signal pending, and a program that takes the signal for itself gets at most one per thread.

use std::ffi::{c_int, c_long, c_ulong};
use std::{io, mem, ptr};

use crate::descriptor;
use crate::own_thread::own_thread;

/// The signal. Its default action is to do nothing, so that one which is still pending harms
/// neither a program begun by exec nor one that takes its handler away.
pub(crate) const SIGNAL: c_int = libc::SIGURG;

/// The kinds of sources, the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The kernel's event cpu-clock, counted in user code only.
    Perf,
    /// A timer of the thread's processor time: at most one signal per tick of the kernel.
    Timer,
}

impl Kind {
    /// The system's refusal in words: the call, its error, and what helps.
    pub(crate) fn refusal(self, error: &io::Error) -> String {
        let call = match self {
            Self::Perf => "perf_event_open",
            Self::Timer => "timer_create",
        };
        let help = match (self, error.raw_os_error()) {
            (Self::Perf, Some(libc::EACCES | libc::EPERM)) => {
                " (sysctl kernel.perf_event_paranoid=2 allows it, or the container's seccomp \
                 profile must)"
            }
            (_, Some(libc::EPERM | libc::ENOSYS)) => {
                " (the container's seccomp profile must allow it)"
            }
            (Self::Perf, Some(libc::EMFILE)) => " (ulimit -n is too low)",
            (Self::Timer, Some(libc::EAGAIN)) => " (ulimit -i is too low)",
            _ => "",
        };
        let errno = error.raw_os_error().unwrap_or(0);
        // Without the number, which the standard library adds.
        let text = error.to_string();
        let text = text.strip_suffix(&format!(" (os error {errno})")).unwrap_or(&text);
        format!("{call}: {text}{help}")
    }
}

/// The source of one thread.
#[derive(Debug)]
pub(crate) enum Source {
    Perf(c_int),
    Timer(libc::timer_t, libc::itimerspec),
}

/// `struct perf_event_attr` of the first version, which every kernel takes.
#[repr(C)]
#[derive(Default)]
struct EventAttributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    bp_type: u32,
    config1: u64,
}

const PERF_TYPE_SOFTWARE: u32 = 1;
const PERF_COUNT_SW_CPU_CLOCK: u64 = 0;
const FLAG_DISABLED: u64 = 1 << 0;
const FLAG_EXCLUDE_KERNEL: u64 = 1 << 5;
const FLAG_EXCLUDE_HV: u64 = 1 << 6;
const PERF_FLAG_FD_CLOEXEC: c_ulong = 1 << 3;
const PERF_EVENT_IOC_DISABLE: c_ulong = 0x2401;
const PERF_EVENT_IOC_REFRESH: c_ulong = 0x2402;
const F_SETSIG: c_int = 10;
const F_GETSIG: c_int = 11;
const F_SETOWN_EX: c_int = 15;
const F_OWNER_TID: c_int = 0;

#[repr(C)]
struct Owner {
    kind: c_int,
    id: libc::pid_t,
}

impl Source {
    /// A source of signals to the calling thread, one per `period_ns` of its processor time, once
    /// [`Source::arm`] has been called.
    pub(crate) fn new(kind: Kind, period_ns: u64) -> io::Result<Self> {
        match kind {
            Kind::Perf => perf(period_ns).map(Self::Perf),
            Kind::Timer => timer(period_ns),
        }
    }

    /// Asks for the next signal. Signal-safe, but that it may change errno.
    pub(crate) fn arm(&self) {
        self.ask(true);
    }

    /// Asks for no signal any more. One may be under way.
    pub(crate) fn disarm(&self) {
        self.ask(false);
    }

    fn ask(&self, wanted: bool) {
        match self {
            Self::Perf(descriptor) => {
                let call = if wanted { PERF_EVENT_IOC_REFRESH } else { PERF_EVENT_IOC_DISABLE };
                if is_ours(*descriptor) {
                    // SAFETY: a call with our own descriptor, which takes a number.
                    unsafe { libc::ioctl(*descriptor, call as _, 1 as c_long) };
                }
            }
            Self::Timer(timer, time) => {
                // SAFETY: zeros are a valid time: none.
                let never = unsafe { mem::zeroed() };
                let time = if wanted { time } else { &never };
                // SAFETY: our own timer.
                unsafe { libc::timer_settime(*timer, 0, time, ptr::null_mut()) };
            }
        }
    }

    /// Whether a signal with this `si_code` may come from the source.
    pub(crate) fn sends(&self, code: c_int) -> bool {
        match self {
            // POLL_IN, or POLL_HUP for the last one that was asked for.
            Self::Perf(_) => matches!(code, 1 | 6),
            Self::Timer(..) => code == libc::SI_TIMER,
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        // SAFETY: our own timer and our own descriptor.
        unsafe {
            match self {
                Self::Perf(descriptor) if is_ours(*descriptor) => libc::close(*descriptor),
                Self::Perf(_) => 0,
                Self::Timer(timer, _) => libc::timer_delete(*timer),
            }
        };
    }
}

/// Whether the descriptor still has the property that we gave it: a program may have closed ours
/// and opened another under its number.
fn is_ours(descriptor: c_int) -> bool {
    // SAFETY: a question about a descriptor, which need not be open.
    unsafe { libc::fcntl(descriptor, F_GETSIG) == SIGNAL }
}

/// The time between two signals that `kind` keeps to, if it is asked for `period_ns`.
pub(crate) fn kept_period(kind: Kind, period_ns: u64) -> u64 {
    match kind {
        Kind::Perf => period_ns,
        Kind::Timer => period_ns.next_multiple_of(kernel_tick()),
    }
}

/// The time between two ticks of the kernel, ns.
fn kernel_tick() -> u64 {
    let mut tick = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `tick` has room for the answer.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut tick) };
    match tick.tv_nsec.unsigned_abs() {
        0 => 4_000_000,
        tick => tick,
    }
}

fn perf(period_ns: u64) -> io::Result<c_int> {
    let attributes = EventAttributes {
        kind: PERF_TYPE_SOFTWARE,
        size: size_of::<EventAttributes>() as u32,
        config: PERF_COUNT_SW_CPU_CLOCK,
        sample_period: period_ns,
        flags: FLAG_DISABLED | FLAG_EXCLUDE_KERNEL | FLAG_EXCLUDE_HV,
        wakeup_events: 1,
        ..EventAttributes::default()
    };
    // SAFETY: the attributes have the size that they say, and the descriptors are ours.
    unsafe {
        let low = libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            0 as c_long,
            -1 as c_long,
            -1 as c_long,
            PERF_FLAG_FD_CLOEXEC,
        );
        if low < 0 {
            return Err(io::Error::last_os_error());
        }
        let descriptor = descriptor::renumber(low as c_int)?;
        let owner = Owner { kind: F_OWNER_TID, id: own_thread() };
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        if libc::fcntl(descriptor, F_SETOWN_EX, &raw const owner) < 0
            || libc::fcntl(descriptor, F_SETSIG, SIGNAL) < 0
            || libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_ASYNC) < 0
        {
            let error = io::Error::last_os_error();
            libc::close(descriptor);
            return Err(error);
        }
        Ok(descriptor)
    }
}

fn timer(period_ns: u64) -> io::Result<Source> {
    // The timer fires at the first tick after its time: a little less than the period hits the
    // tick at the period, rather than the next.
    let ask = kept_period(Kind::Timer, period_ns) - kernel_tick() / 2;
    let time = libc::itimerspec {
        it_interval: libc::timespec { tv_sec: 0, tv_nsec: 0 },
        it_value: libc::timespec {
            tv_sec: (ask / 1_000_000_000) as i64,
            tv_nsec: (ask % 1_000_000_000) as i64,
        },
    };
    // SAFETY: zeros are a valid description, and both structures live during the call.
    unsafe {
        let mut event: libc::sigevent = mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = SIGNAL;
        event.sigev_notify_thread_id = own_thread();
        let mut timer: libc::timer_t = ptr::null_mut();
        if libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &mut event, &mut timer) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Source::Timer(timer, time))
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Kind;

    #[test]
    fn a_refusal_names_the_call_and_what_helps() {
        let refusal = |kind: Kind, errno| kind.refusal(&io::Error::from_raw_os_error(errno));
        assert_eq!(
            refusal(Kind::Perf, libc::EACCES),
            "perf_event_open: Permission denied (sysctl kernel.perf_event_paranoid=2 allows it, or \
             the container's seccomp profile must)"
        );
        assert_eq!(
            refusal(Kind::Timer, libc::EPERM),
            "timer_create: Operation not permitted (the container's seccomp profile must allow it)"
        );
        assert_eq!(refusal(Kind::Perf, libc::ENOENT), "perf_event_open: No such file or directory");
    }
}
