//! The source of a thread's sampling signals.
//!
//! Both sources are armed for one signal, and armed again by the handler: a thread has at most one
//! signal pending, and a program that takes the signal for itself gets at most one per thread.

use std::ffi::{c_int, c_long, c_ulong};
use std::{io, mem, ptr};

use crate::own_thread::own_thread;
use crate::perf::{self, EventAttributes};
use crate::usage::clock_of;

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
        format!("{call}: {}{help}", perf::words(error))
    }
}

/// The source of one thread.
#[derive(Debug)]
pub(crate) enum Source {
    Perf(c_int),
    Timer(libc::timer_t, libc::itimerspec),
}

const CPU_CLOCK: u64 = 0;
const PERF_EVENT_IOC_DISABLE: c_ulong = 0x2401;
const PERF_EVENT_IOC_REFRESH: c_ulong = 0x2402;
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
        let clock = libc::CLOCK_THREAD_CPUTIME_ID;
        match kind {
            Kind::Perf => perf(period_ns, own_thread()).map(Self::Perf),
            Kind::Timer => timer(period_ns, own_thread(), clock),
        }
    }

    /// As [`Source::new`], of signals to the thread `tid` of this process.
    pub(crate) fn of_thread(kind: Kind, period_ns: u64, tid: u32) -> io::Result<Self> {
        let tid = tid.cast_signed();
        match kind {
            Kind::Perf => perf(period_ns, tid).map(Self::Perf),
            Kind::Timer => timer(period_ns, tid, clock_of(tid)),
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
                if perf::has_mark(*descriptor, SIGNAL) {
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
                Self::Perf(descriptor) if perf::has_mark(*descriptor, SIGNAL) => {
                    libc::close(*descriptor)
                }
                Self::Perf(_) => 0,
                Self::Timer(timer, _) => libc::timer_delete(*timer),
            }
        };
    }
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

fn perf(period_ns: u64, tid: libc::pid_t) -> io::Result<c_int> {
    let attributes = EventAttributes {
        kind: perf::SOFTWARE,
        config: CPU_CLOCK,
        sample_period: period_ns,
        flags: perf::FLAG_DISABLED | perf::FLAG_EXCLUDE_KERNEL | perf::FLAG_EXCLUDE_HV,
        wakeup_events: 1,
        ..EventAttributes::default()
    };
    let descriptor = perf::open_of(tid, &attributes, perf::NO_LEADER)?;
    let owner = Owner { kind: F_OWNER_TID, id: tid };
    // SAFETY: calls with our own descriptor; the owner lives during the call.
    let is_told = unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        libc::fcntl(descriptor, F_SETOWN_EX, &raw const owner) >= 0
            && perf::mark(descriptor, SIGNAL).is_ok()
            && libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_ASYNC) >= 0
    };
    if !is_told {
        let error = io::Error::last_os_error();
        // SAFETY: our own descriptor.
        unsafe { libc::close(descriptor) };
        return Err(error);
    }
    Ok(descriptor)
}

fn timer(period_ns: u64, tid: libc::pid_t, clock: libc::clockid_t) -> io::Result<Source> {
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
        event.sigev_notify_thread_id = tid;
        let mut timer: libc::timer_t = ptr::null_mut();
        if libc::timer_create(clock, &mut event, &mut timer) != 0 {
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
