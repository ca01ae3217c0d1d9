//! The names of counters, and the events of the kernel that they stand for.

use crate::perf;

/// An event that is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The name by which the user knows it.
    pub(crate) name: String,
    /// The kind and the number of the event, as perf_event_open(2) has them.
    pub(crate) kind: u32,
    pub(crate) config: u64,
    /// Whether only what happens in user code counts. What the scheduler does is all in the kernel.
    pub(crate) in_user_code: bool,
}

/// Number of an event of caches: the cache, whether loads or stores, whether misses.
const fn cache(cache: u64, stores: bool, misses: bool) -> u64 {
    cache | (stores as u64) << 8 | (misses as u64) << 16
}

const L1D: u64 = 0;
const LAST_LEVEL: u64 = 2;
const DATA_TLB: u64 = 3;
const NODE: u64 = 6;

/// Names that mean the same on each processor.
const EVENTS: [(&str, u32, u64); 31] = [
    ("cycles", perf::HARDWARE, 0),
    ("instructions", perf::HARDWARE, 1),
    ("cache-references", perf::HARDWARE, 2),
    ("cache-misses", perf::HARDWARE, 3),
    ("branches", perf::HARDWARE, 4),
    ("branch-misses", perf::HARDWARE, 5),
    ("bus-cycles", perf::HARDWARE, 6),
    ("stalled-cycles-frontend", perf::HARDWARE, 7),
    ("stalled-cycles-backend", perf::HARDWARE, 8),
    ("ref-cycles", perf::HARDWARE, 9),
    ("L1-dcache-loads", perf::CACHE, cache(L1D, false, false)),
    ("L1-dcache-load-misses", perf::CACHE, cache(L1D, false, true)),
    ("L1-dcache-stores", perf::CACHE, cache(L1D, true, false)),
    ("LLC-loads", perf::CACHE, cache(LAST_LEVEL, false, false)),
    ("LLC-load-misses", perf::CACHE, cache(LAST_LEVEL, false, true)),
    ("LLC-stores", perf::CACHE, cache(LAST_LEVEL, true, false)),
    ("LLC-store-misses", perf::CACHE, cache(LAST_LEVEL, true, true)),
    ("dTLB-loads", perf::CACHE, cache(DATA_TLB, false, false)),
    ("dTLB-load-misses", perf::CACHE, cache(DATA_TLB, false, true)),
    ("dTLB-stores", perf::CACHE, cache(DATA_TLB, true, false)),
    ("dTLB-store-misses", perf::CACHE, cache(DATA_TLB, true, true)),
    ("node-loads", perf::CACHE, cache(NODE, false, false)),
    ("node-load-misses", perf::CACHE, cache(NODE, false, true)),
    ("node-stores", perf::CACHE, cache(NODE, true, false)),
    ("node-store-misses", perf::CACHE, cache(NODE, true, true)),
    ("task-clock", perf::SOFTWARE, 1),
    ("page-faults", perf::SOFTWARE, 2),
    ("context-switches", perf::SOFTWARE, 3),
    ("cpu-migrations", perf::SOFTWARE, 4),
    ("minor-faults", perf::SOFTWARE, 5),
    ("major-faults", perf::SOFTWARE, 6),
];

/// Events of the scheduler.
const OF_SCHEDULER: [&str; 2] = ["context-switches", "cpu-migrations"];

impl Event {
    /// The event that `name` means on each processor: one of the list, or `r` and a number in
    /// hexadecimal digits, which is the processor's own. `None` if it means none.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let listed = EVENTS.iter().find(|(own, ..)| *own == name);
        let (kind, config) = match listed {
            Some(&(_, kind, config)) => (kind, config),
            None => (perf::RAW, raw(name)?),
        };
        Some(Self {
            name: name.to_owned(),
            kind,
            config,
            in_user_code: !OF_SCHEDULER.contains(&name),
        })
    }

    /// An event of this name that is the processor's own.
    pub(crate) fn raw(name: &str, config: u64) -> Self {
        Self { name: name.to_owned(), kind: perf::RAW, config, in_user_code: true }
    }
}

fn raw(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('r')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::Event;
    use crate::perf;

    #[test]
    fn names_are_events_of_the_kernel() {
        let of = |name| Event::of_name(name).map(|event| (event.kind, event.config));
        assert_eq!(of("instructions"), Some((perf::HARDWARE, 1)));
        assert_eq!(of("LLC-load-misses"), Some((perf::CACHE, 0x1_0002)));
        assert_eq!(of("node-store-misses"), Some((perf::CACHE, 0x1_0106)));
        assert_eq!(of("r4844"), Some((perf::RAW, 0x4844)));
        assert_eq!(of("ref-cycles"), Some((perf::HARDWARE, 9)), "not a number");
        for name in ["", "r", "rx", "r+1", "r11112222333344445", "Cycles", "cycles "] {
            assert_eq!(of(name), None, "{name}");
        }
        let counted = |name| Event::of_name(name).unwrap().in_user_code;
        assert!(counted("page-faults") && !counted("context-switches"));
    }
}
