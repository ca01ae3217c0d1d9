//! Tests that this machine cannot run.

use std::env;
use std::fs;

use crate::presence::Prerequisite;

/// Reports that the test checks nothing on this machine, for `reason`.
///
/// # Panics
///
/// If no test may be skipped, which the variable `CI` says.
pub fn skip(reason: &str) {
    assert!(env::var_os("CI").is_none(), "{reason}");
    eprintln!("skipped: {reason}");
}

/// Whether all of `needed` is there; if not, [`skip`]s the test.
#[must_use]
pub fn has_all(needed: &[Prerequisite]) -> bool {
    let missing: Vec<&Prerequisite> = needed.iter().filter(|it| !it.is_present()).collect();
    let Some(first) = missing.first() else { return true };
    let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
    skip(&format!("missing: {}; `{}` as root installs it", names.join(", "), first.installer()));
    false
}

/// Whether an emulator executes what tests start: qemu translates the system calls of one process,
/// and lacks some.
#[must_use]
pub fn is_emulated() -> bool {
    env::var_os("OXOMP_TEST_EMULATED").is_some()
}

/// The bit of `CAP_SYS_PTRACE` in the masks of capabilities.
const CAP_SYS_PTRACE: u32 = 19;

/// Whether a process may attach to another one of the same user that it has not started, as
/// debuggers do; if not, [`skip`]s the test.
#[must_use]
pub fn may_attach() -> bool {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let may = attaches(scope.trim(), &status);
    if !may {
        skip(&format!("no process may attach to another one (ptrace_scope is {})", scope.trim()));
    }
    may
}

/// Whether attaching is allowed under `scope`, the value of Yama's `ptrace_scope` (empty for a
/// kernel without Yama), to a process with that `/proc/PID/status`.
fn attaches(scope: &str, status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    match scope {
        "" | "0" => true,
        "1" | "2" => mask >> CAP_SYS_PTRACE & 1 == 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::attaches;

    #[test]
    fn the_scope_decides_and_the_capability() {
        let user = "Name:\ttest\nCapEff:\t0000000000000000\n";
        let root = "Name:\ttest\nCapEff:\t000001ffffffffff\n";
        let container = "CapEff:\t00000000a80425fb\n";
        let with = |status| ["", "0", "1", "2", "3"].map(|scope| attaches(scope, status));
        assert_eq!(with(user), [true, true, false, false, false]);
        assert_eq!(with(root), [true, true, true, true, false]);
        assert_eq!(with(container), with(user));
    }
}
