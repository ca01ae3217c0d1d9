//! What a program does on a signal.

use std::fs;

use signal_hook::consts::{
    SIGABRT, SIGBUS, SIGCHLD, SIGCONT, SIGFPE, SIGILL, SIGINT, SIGQUIT, SIGSEGV, SIGSTOP, SIGSYS,
    SIGTRAP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH,
};

use crate::status::field;

/// Nothing happens by these unless the program handles them.
const HARMLESS: [i32; 4] = [SIGCHLD, SIGCONT, SIGURG, SIGWINCH];
/// These stop the whole process.
const STOPS: [i32; 4] = [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU];
/// These tell of an error in the program.
const FAULTS: [i32; 7] = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS];

/// What a program does on a signal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disposition {
    signal: i32,
    /// Whether it handles or ignores the signal.
    pub(super) handled: bool,
}

impl Disposition {
    pub(super) fn of(pid: i32, signal: i32) -> Self {
        let harmless = HARMLESS.contains(&signal) || Self::stops(signal);
        Self { signal, handled: harmless || handles(pid, signal) }
    }

    /// Whether the signal stops a whole group.
    pub(super) fn stops(signal: i32) -> bool {
        STOPS.contains(&signal)
    }

    /// Whether the user is told before the signal is delivered.
    pub(super) fn is_told(self) -> bool {
        matches!(self.signal, SIGINT | SIGQUIT) || FAULTS.contains(&self.signal) || !self.handled
    }
}

/// Whether the process handles or ignores the signal, by the masks in its status.
pub(super) fn handles(pid: i32, signal: i32) -> bool {
    let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let bit = u32::try_from(signal - 1).ok().and_then(|shift| 1_u64.checked_shl(shift));
    let masks = ["SigCgt", "SigIgn"].into_iter().filter_map(|name| field(&status, name));
    let mut masks = masks.filter_map(|mask| u64::from_str_radix(mask, 16).ok());
    bit.is_some_and(|bit| masks.any(|mask| mask & bit != 0))
}
