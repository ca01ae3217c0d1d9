//! What the system knows of the process that OpenMP does not tell: its age, and the CPU time of its
//! threads. Read at the recording's begin and end, never in a callback.

use std::sync::atomic::{AtomicPtr, Ordering};
use std::{fs, ptr};

use crate::clock;
use crate::own_thread::own_thread;

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

/// CPU times, ns.
#[derive(Debug)]
struct Used {
    process: u64,
    /// By the system's id of the thread.
    threads: Vec<(u64, u64)>,
}

impl Used {
    fn by_thread(&self, tid: u64) -> u64 {
        self.threads.iter().find(|(other, _)| *other == tid).map_or(0, |(_, used)| *used)
    }
}

/// What was used before the recording began, by a process to which the collector was attached; null
/// for nothing. No lock, which a child of fork(2) might find taken.
static BEFORE: AtomicPtr<Used> = AtomicPtr::new(ptr::null_mut());

fn before() -> Option<&'static Used> {
    // SAFETY: null, or what `begin_late` has leaked.
    unsafe { BEFORE.load(Ordering::Acquire).as_ref() }
}

/// The recording begins while the process runs: what it has used so far does not count. Returns the
/// age of the process as the recording sees it.
pub(crate) fn begin_late() -> u64 {
    let process = clock::read(libc::CLOCK_PROCESS_CPUTIME_ID);
    let used = Box::leak(Box::new(Used { process, threads: all_threads() }));
    BEFORE.store(used, Ordering::Release);
    0
}

/// Whether the thread of that id was there when the recording of an attached collector began.
pub(crate) fn was_there(tid: u64) -> bool {
    before().is_some_and(|used| used.threads.iter().any(|(other, _)| *other == tid))
}

/// The process is a child of fork(2), which has used nothing yet.
pub(crate) fn begin_anew() {
    BEFORE.store(ptr::null_mut(), Ordering::Release);
}

/// The CPU time of the process since the recording began, ns.
pub(crate) fn used_by_process() -> u64 {
    clock::read(libc::CLOCK_PROCESS_CPUTIME_ID)
        .saturating_sub(before().map_or(0, |used| used.process))
}

/// The system's id and the CPU time since the recording began, ns, of each living thread.
pub(crate) fn threads() -> Vec<(u64, u64)> {
    let since = |(tid, used): (u64, u64)| {
        (tid, used.saturating_sub(before().map_or(0, |before| before.by_thread(tid))))
    };
    all_threads().into_iter().map(since).collect()
}

/// The system's id and the CPU time, ns, of each living thread.
fn all_threads() -> Vec<(u64, u64)> {
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

/// The CPU time of the calling thread since the recording began, ns.
pub(crate) fn used_by_thread() -> u64 {
    let earlier = before().map_or(0, |used| used.by_thread(own_thread().unsigned_abs().into()));
    clock::read(libc::CLOCK_THREAD_CPUTIME_ID).saturating_sub(earlier)
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
