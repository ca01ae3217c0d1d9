//! What the system knows of the process that OpenMP does not tell: its age, and the CPU time of its
//! threads. Read at the recording's begin and end, never in a callback.

use std::fs;

use crate::clock;

/// Position of the start time among the fields of `/proc/self/stat` behind the program's name.
const START_TIME: usize = 19;

/// For how long the process has existed, ns. The system tells the start to the hundredth of a
/// second; the result is the least age that this allows, but no less than the CPU time that the
/// process has used. A process that another program has become by exec(3) is as old as that
/// program.
pub(crate) fn age() -> u64 {
    let now = clock::read(libc::CLOCK_BOOTTIME);
    let stat = fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let Some((earliest, latest)) = start_time(&stat) else { return 0 };
    let used = clock::read(libc::CLOCK_PROCESS_CPUTIME_ID);
    now.saturating_sub(latest).max(used).min(now.saturating_sub(earliest))
}

/// The interval after the system's start in which the process started, ns.
fn start_time(stat: &str) -> Option<(u64, u64)> {
    // SAFETY: a question without arguments in memory.
    let per_second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).ok()?;
    // The program's name is in parentheses, and may contain some.
    let (_, fields) = stat.rsplit_once(") ")?;
    let ticks: u64 = fields.split(' ').nth(START_TIME)?.parse().ok()?;
    let length = 1_000_000_000_u64.checked_div(per_second)?;
    (ticks > 0).then_some((ticks * length, (ticks + 1) * length))
}

/// The system's id and the CPU time, ns, of each living thread.
pub(crate) fn threads() -> Vec<(u64, u64)> {
    let Ok(entries) = fs::read_dir("/proc/self/task") else { return Vec::new() };
    let thread = |entry: fs::DirEntry| {
        let times = fs::read_to_string(entry.path().join("schedstat")).ok()?;
        let used = times.split(' ').next()?.parse().ok()?;
        Some((entry.file_name().to_str()?.parse().ok()?, used))
    };
    entries.filter_map(|entry| thread(entry.ok()?)).collect()
}

/// For how long the calling thread has been ready without a processor, ns; 0 if the system does not
/// tell.
pub(crate) fn waited_by_thread() -> u64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    times.split(' ').nth(1).and_then(|waited| waited.parse().ok()).unwrap_or(0)
}

/// For how long the thread of this id has been ready without a processor, ns; `None` if it has
/// ended, or the system does not tell.
pub(crate) fn waited_by(tid: u32) -> Option<u64> {
    let times = fs::read_to_string(format!("/proc/self/task/{tid}/schedstat")).ok()?;
    times.split(' ').nth(1)?.parse().ok()
}

/// The CPU time of the calling thread, ns.
pub(crate) fn used_by_thread() -> u64 {
    clock::read(libc::CLOCK_THREAD_CPUTIME_ID)
}

#[cfg(test)]
mod tests {
    use super::{age, start_time, threads};

    #[test]
    fn the_start_time_is_the_twenty_second_field() {
        let fields = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 250 20";
        let hundredths = Some((2_500_000_000, 2_510_000_000));
        assert_eq!(start_time(&format!("77 (a) b) {fields}")), hundredths);
        assert_eq!(start_time("77 (a) S 1 2"), None);
    }

    #[test]
    fn this_process_has_an_age_and_threads() {
        let before = age();
        std::thread::sleep(std::time::Duration::from_millis(30));
        assert!(age() >= before + 10_000_000);
        let own = u64::from(std::process::id());
        assert!(threads().iter().any(|(id, _)| *id == own));
    }
}
