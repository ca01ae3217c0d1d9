//! The processors that benchmarks may use.

use std::fs;

use anyhow::{Context, Result};

/// The numbers of the processors that this process may use: one of each core first.
pub(super) fn allowed() -> Result<Vec<u32>> {
    let status =
        fs::read_to_string("/proc/self/status").context("cannot read /proc/self/status")?;
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .context("/proc/self/status names no processors")?;
    let mut processors = numbers(list);
    processors.sort_by_key(|&processor| (place_in_core(processor), processor));
    Ok(processors)
}

/// The value of `OMP_PLACES` that gives each of the first `threads` processors to one thread.
pub(super) fn places(processors: &[u32], threads: u32) -> String {
    let first = processors.iter().take(threads as usize);
    first.map(|processor| format!("{{{processor}}}")).collect::<Vec<_>>().join(",")
}

/// How many hardware threads of its core come before it; 0 if the system does not say.
fn place_in_core(processor: u32) -> usize {
    let file = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
    let siblings = fs::read_to_string(file).unwrap_or_default();
    numbers(&siblings).iter().position(|&sibling| sibling == processor).unwrap_or(0)
}

/// The numbers of a list such as `0-3,8`.
fn numbers(list: &str) -> Vec<u32> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::{numbers, places};

    #[test]
    fn lists_have_numbers_and_ranges() {
        assert_eq!(numbers("\t0-2,8\n"), [0, 1, 2, 8]);
        assert_eq!(numbers(""), [0; 0]);
    }

    #[test]
    fn each_thread_has_a_processor() {
        assert_eq!(places(&[0, 2, 1, 3], 2), "{0},{2}");
    }
}
