//! Where events happened: the machine, the process, its threads and what they did with devices.

use oxomp_analysis::Analysis;

use super::definitions::{Definitions, UNDEFINED, kind};
use super::record::Record;
use super::role::Paradigm;
use crate::timeline::thread_name;

/// Ticks of the clock in a second.
const NANOSECONDS: u64 = 1_000_000_000;
/// The class of paradigms in which a thread forks a team.
const FORK_JOIN: u8 = 1;
/// The numbers of the location groups, and their types.
const PROCESS: (u32, u8) = (0, 1);
const DEVICES: (u32, u8) = (1, 2);
/// Types of locations.
const CPU_THREAD: u8 = 1;
const ACCELERATOR_STREAM: u8 = 2;

/// The locations whose events are written, those of the threads first.
#[derive(Debug, Default)]
pub(super) struct Locations {
    /// The number of events of each.
    events: Vec<u64>,
    /// The threads that have locations for devices, in the order of these.
    devices: Vec<usize>,
}

impl Locations {
    /// Their number, and that of the next one.
    pub(super) fn count(&self) -> u64 {
        self.events.len() as u64
    }

    /// The number of those of threads.
    pub(super) fn threads(&self) -> u64 {
        (self.events.len() - self.devices.len()) as u64
    }

    pub(super) fn thread_written(&mut self, events: u64) {
        self.events.push(events);
    }

    /// Adds what a thread did with devices.
    pub(super) fn devices_written(&mut self, thread: usize, events: u64) {
        self.events.push(events);
        self.devices.push(thread);
    }

    /// Defines the machine, the process and the locations.
    pub(super) fn define(&self, analysis: &Analysis, definitions: &mut Definitions) {
        let header = &analysis.summary.header;
        let name = definitions.text("OpenMP");
        let mut paradigm = Record::new(kind::PARADIGM);
        definitions.add(paradigm.byte(Paradigm::OpenMp as u8).number(name).byte(FORK_JOIN));
        let (name, class) = (definitions.text(&header.hostname), definitions.text("machine"));
        let mut machine = Record::new(kind::SYSTEM_TREE_NODE);
        definitions.add(machine.number(0).number(name).number(class).number(UNDEFINED));
        let process = header.command.first().unwrap_or(&header.executable);
        let name = format!("{process} (process {})", header.pid);
        add_group(PROCESS, &name, UNDEFINED, definitions);
        if !self.devices.is_empty() {
            add_group(DEVICES, "devices", PROCESS.0, definitions);
        }
        let threads = self.threads();
        for (number, events) in self.events.iter().enumerate() {
            let (name, location_type, group) = match number.checked_sub(threads as usize) {
                None => (thread_name(analysis, number), CPU_THREAD, PROCESS.0),
                Some(lane) => {
                    let thread = thread_name(analysis, self.devices[lane]);
                    (format!("devices of {thread}"), ACCELERATOR_STREAM, DEVICES.0)
                }
            };
            let name = definitions.text(&name);
            let mut location = Record::new(kind::LOCATION);
            location.long(number as u64).number(name).byte(location_type);
            definitions.add(location.long(*events).number(group));
        }
    }
}

/// Defines the clock, which has the times of the `window` only.
pub(super) fn define_clock(
    analysis: &Analysis,
    (begin, end): (u64, u64),
    definitions: &mut Definitions,
) {
    let started = analysis.summary.header.started_unix_ns;
    let mut clock = Record::new(kind::CLOCK);
    clock.long(NANOSECONDS).long(begin).long(end.saturating_sub(begin));
    definitions.add(clock.long(started.saturating_add(begin)));
}

/// Defines a location group on the machine, which the group `creator` made.
fn add_group(
    (number, group_type): (u32, u8),
    name: &str,
    creator: u32,
    definitions: &mut Definitions,
) {
    let name = definitions.text(name);
    let mut group = Record::new(kind::LOCATION_GROUP);
    definitions.add(group.number(number).number(name).byte(group_type).number(0).number(creator));
}
