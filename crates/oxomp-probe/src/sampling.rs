//! A thread's state, asked for in a signal handler on that thread.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use oxomp_sys::ompt::ompt_state_t;

use crate::tool::{self, log};
use crate::verdict::{Fault, Verdict, missing, refused, wrong};

const NONE: i32 = -1;
static SAMPLE: AtomicI32 = AtomicI32::new(NONE);
static WAIT_ID: AtomicU64 = AtomicU64::new(0);

extern "C" fn on_signal(_signal: i32) {
    if let Some((state, wait_id)) = tool::state() {
        WAIT_ID.store(wait_id, Ordering::Relaxed);
        SAMPLE.store(state, Ordering::Release);
    }
}

/// A native thread that can be sampled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target(libc::pthread_t);

impl Target {
    pub(crate) fn current() -> Self {
        // SAFETY: always allowed.
        Self(unsafe { libc::pthread_self() })
    }

    /// The thread as a number that an atomic can hold.
    pub(crate) fn to_word(self) -> u64 {
        self.0
    }

    /// The thread of [`Target::to_word`].
    pub(crate) fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// The state now; `None` if the handler does not answer.
    pub(crate) fn state(self) -> Result<Option<ompt_state_t>, Fault> {
        install();
        SAMPLE.store(NONE, Ordering::Release);
        // SAFETY: checks keep the thread alive while they sample it.
        match unsafe { libc::pthread_kill(self.0, SIGNAL) } {
            0 => {}
            error => return Err(refused("signals", "pthread_kill", error)),
        }
        let answered = log::wait_until(|| SAMPLE.load(Ordering::Acquire) != NONE);
        Ok(answered.then(|| ompt_state_t(SAMPLE.load(Ordering::Acquire))))
    }

    /// Samples until one of `expected` is seen, as long as the checks' patience lasts: the thread
    /// may still be on its way.
    pub(crate) fn expect(self, expected: &[ompt_state_t], place: &str) -> Verdict {
        let mut last = Ok(None);
        log::wait_until(|| {
            last = self.state();
            last.as_ref().is_ok_and(|state| state.is_some_and(|it| expected.contains(&it)))
                || last.is_err()
        });
        let name = |state: ompt_state_t| {
            state.name().map_or_else(
                || format!("state {:#x}", state.0),
                |name| name.to_string_lossy().into_owned(),
            )
        };
        match last? {
            Some(state) if expected.contains(&state) => Ok(()),
            Some(state) => wrong(format!(
                "a thread {place} is in {}, not in {}",
                name(state),
                name(expected[0])
            )),
            None => missing(format!("ompt_get_state gives no answer for a thread {place}")),
        }
    }
}

/// Runtimes have no use for it. A real-time signal takes a place in the queue of the user's
/// signals, and is refused once other processes, with theirs and their timers, have filled it
/// (getrlimit(2), RLIMIT_SIGPENDING).
const SIGNAL: i32 = libc::SIGURG;

fn install() {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: all zero is a valid sigaction; the handler is async-signal-safe.
    unsafe {
        (*action.as_mut_ptr()).sa_sigaction = on_signal as extern "C" fn(i32) as usize;
        (*action.as_mut_ptr()).sa_flags = libc::SA_RESTART;
        libc::sigaction(SIGNAL, action.as_ptr(), ptr::null_mut());
    }
}
