//! Signals while a program runs as a child: the relay passes them on, and this process stays to
//! report how it ended.
//!
//! A signal of the terminal goes to the whole process group, so the program has it already; one
//! that was sent to this process alone is passed on. If a sender signals the whole group by `kill`,
//! the program gets the signal twice, which is better than not at all: the two cases look the same.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::flag;
use signal_hook::iterator::exfiltrator::WithRawSiginfo;
use signal_hook::iterator::{Handle, SignalsInfo};

/// Signals that would end us before the program.
const PASSED_ON: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2];

/// Signals by which a user or a batch system asks for the end.
const ASKING_FOR_THE_END: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// What signals do beyond being passed on. It is registered once, though several programs may run
/// one after the other.
#[derive(Debug, Default)]
struct Effects {
    /// Set while signals have their usual effect on us.
    usual: Arc<AtomicBool>,
    /// Set by the signals that ask for the end.
    asked: Arc<AtomicBool>,
}

static EFFECTS: OnceLock<Effects> = OnceLock::new();

/// Whether one of the signals that ask for the end has come while a program ran.
pub(crate) fn stop_was_asked_for() -> bool {
    EFFECTS.get().is_some_and(|effects| effects.asked.load(Ordering::SeqCst))
}

/// Set while SIGUSR1 is for this command, not for the program.
static KEEPS_USR1: AtomicBool = AtomicBool::new(false);

/// Takes over SIGUSR1, which is not passed on to programs from now on. The function that is
/// returned says whether it has come since the last call.
pub(crate) fn usr1_requests() -> io::Result<impl Fn() -> bool> {
    let asked = Arc::new(AtomicBool::new(false));
    flag::register(SIGUSR1, Arc::clone(&asked))?;
    KEEPS_USR1.store(true, Ordering::SeqCst);
    Ok(move || asked.swap(false, Ordering::Relaxed))
}

/// Takes over the signals by which a user asks a command that runs no program to end. The function
/// that is returned says whether one has come.
pub(crate) fn stop_requests() -> io::Result<impl Fn() -> bool> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register(signal, Arc::clone(&asked))?;
    }
    Ok(move || asked.load(Ordering::Relaxed))
}

/// Keeps us alive and the program informed, until [`Relay::finish`].
#[derive(Debug)]
pub(crate) struct Relay {
    /// The program while it may be signalled: not yet reaped, so the number is still its own.
    target: Arc<Mutex<Option<Pid>>>,
    effects: &'static Effects,
    signals: Option<SignalsInfo<WithRawSiginfo>>,
    running: Option<(Handle, JoinHandle<()>)>,
}

impl Relay {
    /// Takes over the signals; to be called before the program is started, lest a signal be lost.
    /// Signals that we were told to ignore (`nohup`) stay ignored, for the program as well.
    pub(crate) fn prepare() -> io::Result<Self> {
        let ignored = ignored_signals();
        let is_ours = |signal| signal == SIGUSR1 && KEEPS_USR1.load(Ordering::SeqCst);
        let is_passed_on = |signal: &i32| ignored >> (signal - 1) & 1 == 0 && !is_ours(*signal);
        let signals: Vec<i32> = PASSED_ON.into_iter().filter(is_passed_on).collect();
        let effects = Effects::registered(&signals)?;
        effects.usual.store(false, Ordering::SeqCst);
        let signals = SignalsInfo::<WithRawSiginfo>::new(&signals)?;
        Ok(Self { target: Arc::default(), effects, signals: Some(signals), running: None })
    }

    /// Begins to pass signals on to `program`, those that came meanwhile included.
    pub(crate) fn start(&mut self, program: Pid) {
        *lock(&self.target) = Some(program);
        let Some(mut signals) = self.signals.take() else { return };
        let handle = signals.handle();
        let target = Arc::clone(&self.target);
        let thread = thread::spawn(move || {
            for info in signals.forever() {
                // Positive codes are the kernel's: the terminal signals the whole group.
                if info.si_code <= 0
                    && let (Some(pid), Some(signal)) =
                        (*lock(&target), Signal::from_named_raw(info.si_signo))
                {
                    // A program that has just ended cannot be signalled any more.
                    kill_process(pid, signal).ok();
                }
            }
        });
        self.running = Some((handle, thread));
    }

    /// The program has ended and is about to be reaped: signals end us again.
    pub(crate) fn finish(self) {
        *lock(&self.target) = None;
        self.effects.usual.store(true, Ordering::SeqCst);
        if let Some((handle, thread)) = self.running {
            handle.close();
            thread.join().ok();
        }
    }
}

impl Effects {
    /// The effects of `signals`, registered by the first call.
    fn registered(signals: &[i32]) -> io::Result<&'static Self> {
        if let Some(effects) = EFFECTS.get() {
            return Ok(effects);
        }
        let effects = Self::default();
        for &signal in signals {
            flag::register_conditional_default(signal, Arc::clone(&effects.usual))?;
            if ASKING_FOR_THE_END.contains(&signal) {
                flag::register(signal, Arc::clone(&effects.asked))?;
            }
        }
        Ok(EFFECTS.get_or_init(|| effects))
    }
}

fn lock(target: &Mutex<Option<Pid>>) -> std::sync::MutexGuard<'_, Option<Pid>> {
    target.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The signals this process ignores, bit `n - 1` for signal n.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
