//! What a program does on a signal.

use std::fs;

const SIGINT: i32 = 2;
const SIGQUIT: i32 = 3;
/// `SIGCHLD`, `SIGCONT`, `SIGURG`, `SIGWINCH`: nothing happens unless the program handles them.
const HARMLESS: [i32; 4] = [17, 18, 23, 28];
/// `SIGILL`, `SIGTRAP`, `SIGABRT`, `SIGBUS`, `SIGFPE`, `SIGSEGV`, `SIGSYS`.
const FAULTS: [i32; 7] = [4, 5, 6, 7, 8, 11, 31];

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
        (19..=22).contains(&signal)
    }

    /// Whether the user is told before the signal is delivered.
    pub(super) fn is_told(self) -> bool {
        matches!(self.signal, SIGINT | SIGQUIT) || FAULTS.contains(&self.signal) || !self.handled
    }
}

/// Whether the process handles or ignores the signal, by the masks in its status.
fn handles(pid: i32, signal: i32) -> bool {
    let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let bit = u32::try_from(signal - 1).ok().and_then(|shift| 1_u64.checked_shl(shift));
    let mut masks = status.lines().filter_map(|line| {
        let mask = line.strip_prefix("SigCgt:").or_else(|| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    });
    bit.is_some_and(|bit| masks.any(|mask| mask & bit != 0))
}
