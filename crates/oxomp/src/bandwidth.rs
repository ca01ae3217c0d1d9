//! The variables by which the collector is asked for counters; among them how fast this machine's
//! processors fetch memory, measured in a fifth of a second before the program runs.
//!
//! The loop is the triad of a stream: `a[i] = b[i] + s·c[i]` over arrays that no cache holds, on as
//! many threads as the program may use processors. It fetches three cache lines for every eight
//! elements, that of `a` too, which is written. What is written back does not count, nor does it in
//! what the program's regions are compared by: cache lines that came from memory.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use oxomp_trace::Rank;

use crate::variables::Variables;

/// The variable by which the collector learns the limit; a user who knows it can set it.
const LIMIT: &str = "OXOMP_BANDWIDTH";
/// Counters of which memory's bandwidth is a limit.
const OF_MEMORY: [&str; 2] = ["default", "memory-lines"];

/// For how long each thread goes over its arrays.
const WINDOW: Duration = Duration::from_millis(60);
/// The arrays of a thread.
const ARRAYS: u64 = 3;
/// The least and the most bytes of an array.
const LEAST_BYTES: u64 = 8 << 20;
const MOST_BYTES: u64 = 32 << 20;
/// How often a thread's arrays are larger than its part of the last cache.
const CACHES: u64 = 4;
/// The part of the free memory that all arrays together may take.
const PART_OF_MEMORY: u64 = 4;

/// How fast processors fetch memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bandwidth {
    bytes_per_second: u64,
    threads: usize,
}

/// Asks the collector for the counters in `list`, and measures the limit of those that have one.
pub(crate) fn ask_for_counters(list: &str, variables: &mut Variables) {
    variables.set("OXOMP_COUNTERS", list);
    let is_of_memory = list.split(',').any(|name| OF_MEMORY.contains(&name.trim()));
    // The ranks of a job would measure at the same time, each on the processors of all.
    if !is_of_memory || env::var_os(LIMIT).is_some() || Rank::of_process().is_some() {
        return;
    }
    if let Some(Bandwidth { bytes_per_second, threads }) = measure() {
        variables.set(LIMIT, format!("{bytes_per_second}/{threads}"));
    }
}

/// Measures; `None` if there is too little memory, or a thread cannot be made.
fn measure() -> Option<Bandwidth> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let array = array_bytes(last_cache(), threads as u64);
    let needed = array.checked_mul(ARRAYS)?.checked_mul(threads as u64)?;
    if needed > free_memory()? / PART_OF_MEMORY {
        return None;
    }
    let rate = fetched_per_second(threads, array as usize / size_of::<f64>())?;
    Some(Bandwidth { bytes_per_second: rate as u64, threads })
}

/// The bytes that `threads` threads fetch in a second, each with arrays of so many elements; `None`
/// if not all of the threads can be made.
fn fetched_per_second(threads: usize, elements: usize) -> Option<f64> {
    let started = Start::default();
    let run = || {
        let (mut a, b, c) = (vec![0.0; elements], vec![1.0; elements], vec![2.0; elements]);
        // The first pass makes the memory of `a`.
        triad(&mut a, &b, &c);
        if !started.wait_for(threads) {
            return 0.0;
        }
        let begin = Instant::now();
        let mut passes = 0_u64;
        while begin.elapsed() < WINDOW {
            triad(&mut a, &b, &c);
            passes += 1;
        }
        let bytes = passes * ARRAYS * (elements * size_of::<f64>()) as u64;
        bytes as f64 / begin.elapsed().as_secs_f64()
    };
    thread::scope(|scope| {
        let spawn = |_| {
            let other = thread::Builder::new().spawn_scoped(scope, run).ok();
            started.fail_if(other.is_none());
            other
        };
        let others: Option<Vec<_>> = (1..threads).map(spawn).collect();
        let others = others?;
        let own = run();
        Some(others.into_iter().fold(own, |sum, other| sum + other.join().unwrap_or(0.0)))
    })
}

/// The common start of several threads, which may lack one.
#[derive(Debug, Default)]
struct Start {
    ready: AtomicUsize,
    has_failed: AtomicBool,
}

impl Start {
    fn fail_if(&self, fails: bool) {
        self.has_failed.fetch_or(fails, Relaxed);
    }

    /// Waits until so many threads do; false if there will not be so many.
    fn wait_for(&self, threads: usize) -> bool {
        self.ready.fetch_add(1, Relaxed);
        while self.ready.load(Relaxed) < threads {
            if self.has_failed.load(Relaxed) {
                return false;
            }
            thread::yield_now();
        }
        true
    }
}

#[inline(never)]
fn triad(a: &mut [f64], b: &[f64], c: &[f64]) {
    let scale = black_box(3.0);
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = scale * c + b;
    }
    black_box(a);
}

/// The bytes of each array of one of `threads` threads, where so many processors share a cache of
/// so many bytes.
fn array_bytes((bytes, sharing): (u64, u64), threads: u64) -> u64 {
    let part = bytes / sharing.min(threads).max(1);
    (part * CACHES / ARRAYS).clamp(LEAST_BYTES, MOST_BYTES)
}

/// The bytes of the first processor's last cache, and how many processors share it; none if the
/// system does not tell.
fn last_cache() -> (u64, u64) {
    let read = |index: u32, name: &str| {
        let folder = "/sys/devices/system/cpu/cpu0/cache/index";
        fs::read_to_string(format!("{folder}{index}/{name}")).ok()
    };
    let sizes = (0..8).filter_map(|index| {
        let bytes = cache_bytes(&read(index, "size")?)?;
        Some((bytes, listed(&read(index, "shared_cpu_list")?)))
    });
    sizes.max().unwrap_or((0, 1))
}

/// The bytes that the system's text means, as `32768K`.
fn cache_bytes(text: &str) -> Option<u64> {
    text.trim().strip_suffix('K')?.parse::<u64>().ok()?.checked_mul(1024)
}

/// How many processors a list as `0-3,8` has.
fn listed(text: &str) -> u64 {
    let length = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
        Some(range.1.saturating_sub(range.0) + 1)
    };
    text.trim().split(',').filter_map(length).sum()
}

/// The memory that is free or can be made free, in bytes.
fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{array_bytes, cache_bytes, fetched_per_second, listed};

    #[test]
    fn arrays_exceed_the_part_of_the_cache_that_their_thread_has() {
        assert_eq!(cache_bytes("32768K\n"), Some(32 << 20));
        assert_eq!(cache_bytes("32M"), None);
        assert_eq!(listed("0-3,8\n"), 5);
        assert_eq!(listed("7"), 1);
        // One thread has all of a cache that eight processors share.
        assert_eq!(array_bytes((24 << 20, 8), 1), 32 << 20);
        assert_eq!(array_bytes((24 << 20, 8), 2), 16 << 20);
        assert_eq!(array_bytes((32 << 20, 8), 64), 8 << 20, "a small part");
        assert_eq!(array_bytes((1 << 30, 8), 1), 32 << 20);
        assert_eq!(array_bytes((0, 1), 4), 8 << 20);
    }

    #[test]
    fn two_threads_fetch_something() {
        let rate = fetched_per_second(2, 1 << 16).expect("two threads");
        assert!(rate > 1e6, "{rate} bytes per second");
        assert!(rate < 1e14, "{rate} bytes per second");
    }
}
