//! The kernel's counters of one thread.
//!
//! Events that the processor can count at the same time form a group, which is read by one call and
//! takes its turns as a whole, so that ratios inside it are exact. An event that does not fit into
//! a group begins the next one. Events of the kernel's software are alone: they take no turns, and
//! the kernel brings up to date only the one that leads a group.

use std::ffi::c_int;
use std::io;

use oxomp_trace::counters::MOST_COUNTERS;

use super::event::Event;
use super::reading::{Reading, Value};
use crate::perf::{self, EventAttributes};

/// Counts of a whole group, with the times for which it was enabled and running.
const READ_FORMAT: u64 = 1 << 3 | 1 << 0 | 1 << 1;
/// Words before the counts.
const READ_HEADER: usize = 3;
/// The mark by which descriptors are known to be ours. The events send no signal.
const MARK: c_int = libc::SIGURG;

/// A group of counters.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    /// Positions of the first one, which leads, and behind the last one.
    begin: usize,
    end: usize,
    /// Whether the processor counts it, which may have too few counters for several groups.
    takes_turns: bool,
}

/// The counters of one thread.
#[derive(Debug)]
pub(crate) struct KernelCounters {
    descriptors: [c_int; MOST_COUNTERS],
    groups: [Group; MOST_COUNTERS],
    /// How many groups there are.
    used: usize,
}

impl KernelCounters {
    /// Opens `events` for the calling thread, [`MOST_COUNTERS`] at most.
    pub(crate) fn open(events: &[Event]) -> io::Result<Self> {
        let mut own = Self {
            descriptors: [-1; MOST_COUNTERS],
            groups: [Group::default(); MOST_COUNTERS],
            used: 0,
        };
        for (position, event) in events.iter().enumerate().take(MOST_COUNTERS) {
            own.add(position, event)?;
        }
        Ok(own)
    }

    fn add(&mut self, position: usize, event: &Event) -> io::Result<()> {
        let user = perf::FLAG_EXCLUDE_KERNEL | perf::FLAG_EXCLUDE_HV;
        let attributes = EventAttributes {
            kind: event.kind,
            config: event.config,
            read_format: READ_FORMAT,
            flags: if event.in_user_code { user } else { 0 },
            ..EventAttributes::default()
        };
        let is_software = event.kind == perf::SOFTWARE;
        let last = self.used.checked_sub(1).map(|last| self.groups[last]);
        let last = last.filter(|group| !is_software && group.takes_turns);
        let joined = last.map(|group| perf::open(&attributes, self.descriptors[group.begin]));
        let descriptor = match joined {
            Some(Ok(descriptor)) => descriptor,
            // The processor has too few counters for one more in the group.
            Some(Err(error)) if error.raw_os_error() != Some(libc::EINVAL) => return Err(error),
            _ => {
                let descriptor = perf::open(&attributes, perf::NO_LEADER)?;
                let (begin, end) = (position, position);
                self.groups[self.used] = Group { begin, end, takes_turns: !is_software };
                self.used += 1;
                descriptor
            }
        };
        self.descriptors[position] = descriptor;
        self.groups[self.used - 1].end = position + 1;
        perf::mark(descriptor, MARK)
    }

    /// How many groups the processor counts: more than one may have to take turns.
    pub(crate) fn groups(&self) -> usize {
        self.groups.iter().filter(|group| group.takes_turns).count()
    }

    /// The counters now; `None` if the program has closed one. Signal-safe, but that it may change
    /// errno.
    pub(crate) fn read(&self) -> Option<Reading> {
        let mut reading = Reading::default();
        for group in &self.groups[..self.used] {
            let leader = self.descriptors[group.begin];
            let count = group.end - group.begin;
            let mut words = [0_u64; READ_HEADER + MOST_COUNTERS];
            let bytes = 8 * (READ_HEADER + count);
            // A descriptor that is another file's by now must not be read from.
            if !perf::has_mark(leader, MARK) {
                return None;
            }
            // SAFETY: the kernel writes to `words`, which has room for so many bytes.
            let length = unsafe { libc::read(leader, words.as_mut_ptr().cast(), bytes) };
            if usize::try_from(length) != Ok(bytes) || words[0] != count as u64 {
                return None;
            }
            let (enabled_ns, running_ns) = (words[1], words[2]);
            let counts = &words[READ_HEADER..];
            for (value, &count) in reading.values[group.begin..group.end].iter_mut().zip(counts) {
                *value = Value { count, enabled_ns, running_ns };
            }
            reading.used = group.end;
            reading.time_ns = enabled_ns;
        }
        Some(reading)
    }
}

impl Drop for KernelCounters {
    fn drop(&mut self) {
        // A leader goes last: what is left of its group would become groups of one.
        for &descriptor in self.descriptors.iter().rev() {
            if descriptor >= 0 && perf::has_mark(descriptor, MARK) {
                // SAFETY: our own descriptor.
                unsafe { libc::close(descriptor) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{hint, ptr};

    use super::KernelCounters;
    use crate::counters::event::Event;

    #[test]
    fn the_kernel_counts_the_pages_that_a_thread_touches() {
        const PAGES: usize = 64;
        let events = ["page-faults", "task-clock"].map(|name| Event::of_name(name).unwrap());
        let counters = match KernelCounters::open(&events) {
            Ok(counters) => counters,
            Err(error) => {
                eprintln!("not tested: the kernel refuses its own counters: {error}");
                return;
            }
        };
        assert_eq!((counters.used, counters.groups()), (2, 0));
        let before = counters.read().expect("our own counters");
        // SAFETY: a new mapping, in which each page is touched and which nothing else uses.
        unsafe {
            let (access, kind) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let pages = libc::mmap(ptr::null_mut(), PAGES << 12, access, kind, -1, 0);
            assert_ne!(pages, libc::MAP_FAILED);
            libc::madvise(pages, PAGES << 12, libc::MADV_NOHUGEPAGE);
            for page in 0..PAGES {
                hint::black_box(pages.cast::<u8>().add(page << 12)).write_volatile(1);
            }
            libc::munmap(pages, PAGES << 12);
        }
        let mut last = before;
        let counts = last.advance(&counters.read().expect("our own counters"));
        assert!(counts.values[0] >= PAGES as u64, "{counts:?}");
        assert!(counts.values[1] > 0, "{counts:?}");
        assert!(counts.time_ns > 0 && counts.running_ns == counts.time_ns, "{counts:?}");
    }
}
