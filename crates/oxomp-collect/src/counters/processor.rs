//! Counters whose event depends on the processor.
//!
//! The numbers are those of the makers' documentation, and only processors are listed for which it
//! has them.

use std::fs;

use super::event::Event;

/// Cache lines that came from memory.
pub(crate) const MEMORY_LINES: &str = "memory-lines";
/// The part of them that came from memory of another NUMA node.
pub(crate) const REMOTE_LINES: &str = "remote-lines";
/// Loads of lines that another core had changed.
pub(crate) const HITM: &str = "hitm";

/// All names.
pub(crate) const NAMES: [&str; 3] = [MEMORY_LINES, REMOTE_LINES, HITM];

/// Models of Intel's family 6 with the core of 2015: of clients, then of servers.
const SKYLAKE: [u32; 5] = [78, 94, 142, 158, 85];

/// A processor, as the kernel names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Processor {
    Amd { family: u32 },
    Intel { family: u32, model: u32 },
    Other,
}

impl Processor {
    /// The processor of this machine.
    pub(crate) fn own() -> Self {
        Self::of_text(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
    }

    fn of_text(text: &str) -> Self {
        let value = |key: &str| {
            let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
            pairs.find(|(own, _)| own.trim() == key).map(|(_, value)| value.trim())
        };
        let number = |key| value(key).and_then(|text| text.parse().ok()).unwrap_or(0);
        match value("vendor_id") {
            Some("AuthenticAMD") => Self::Amd { family: number("cpu family") },
            Some("GenuineIntel") => {
                Self::Intel { family: number("cpu family"), model: number("model") }
            }
            _ => Self::Other,
        }
    }

    /// The event that `name` means on this processor. `None` if it is not known to have one.
    pub(crate) fn event(self, name: &str) -> Option<Event> {
        // Fills of the data cache by their source, from family 19h on: 8 is memory of the own node,
        // 40h memory of another one. The general event cache-misses counts misses of the second
        // level there, which the third one may have.
        const FILLS: u64 = 0x44;
        // Loads that hit the third level, in a line that another core had changed.
        const CHANGED: u64 = 0x04d2;
        let of_name = |own: &str| Event::of_name(own).map(|it| Event { name: name.into(), ..it });
        match (self, name) {
            (Self::Amd { family: 0x19 }, MEMORY_LINES) => Some(Event::raw(name, 0x4800 | FILLS)),
            (Self::Amd { family: 0x19 }, REMOTE_LINES) => Some(Event::raw(name, 0x4000 | FILLS)),
            (Self::Amd { .. }, _) => None,
            (Self::Intel { family: 6, model }, HITM) if SKYLAKE.contains(&model) => {
                Some(Event::raw(name, CHANGED))
            }
            (_, HITM) => None,
            // Of Intel's processors the general event is that of the last level.
            (Self::Intel { .. }, MEMORY_LINES) => of_name("cache-misses"),
            (Self::Other, MEMORY_LINES) => of_name("LLC-load-misses"),
            (_, REMOTE_LINES) => of_name("node-load-misses"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HITM, MEMORY_LINES, Processor, REMOTE_LINES};
    use crate::perf;

    #[test]
    fn processors_have_events_of_their_own() {
        let text = |vendor: &str, family: u32, model: u32| {
            format!(
                "processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\n\
                 model name\t: 7\n\nprocessor\t: 1\n"
            )
        };
        let of = |text: &str, name| {
            Processor::of_text(text).event(name).map(|event| (event.kind, event.config))
        };
        let genoa = text("AuthenticAMD", 25, 17);
        assert_eq!(of(&genoa, MEMORY_LINES), Some((perf::RAW, 0x4844)));
        assert_eq!(of(&genoa, REMOTE_LINES), Some((perf::RAW, 0x4044)));
        assert_eq!(of(&genoa, HITM), None);
        assert_eq!(of(&text("AuthenticAMD", 23, 49), MEMORY_LINES), None);
        let skylake = text("GenuineIntel", 6, 85);
        assert_eq!(of(&skylake, MEMORY_LINES), Some((perf::HARDWARE, 3)));
        assert_eq!(of(&skylake, REMOTE_LINES), Some((perf::CACHE, 0x1_0006)));
        assert_eq!(of(&skylake, HITM), Some((perf::RAW, 0x04d2)));
        assert_eq!(of(&text("GenuineIntel", 6, 143), HITM), None);
        assert_eq!(of("CPU implementer\t: 0x41\n", MEMORY_LINES), Some((perf::CACHE, 0x1_0002)));
        assert_eq!(of("", "cycles"), None);
    }
}
