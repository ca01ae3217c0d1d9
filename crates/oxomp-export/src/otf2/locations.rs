//! Where events happened: machines, processes, their threads and what they did with devices.

use super::definitions::{Definitions, UNDEFINED, kind};
use super::record::Record;
use super::role::Paradigm;

/// Ticks of the clock in a second.
const NANOSECONDS: u64 = 1_000_000_000;
/// Classes of paradigms: processes, and threads of which one forks a team.
const PROCESSES: u8 = 0;
const FORK_JOIN: u8 = 1;
/// Types of location groups.
const PROCESS: u8 = 1;
const ACCELERATOR: u8 = 2;
/// The node around several machines.
const ROOT: u32 = 0;

/// What a location shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A thread that OpenMP knows.
    Thread,
    /// Calls of MPI on threads of which nothing else is known.
    Calls,
    /// Constructs for devices.
    Devices,
}

#[derive(Debug)]
struct Location {
    name: String,
    kind: Kind,
    /// The number of its group.
    group: u32,
    /// How many it has.
    events: u64,
}

#[derive(Debug)]
struct Group {
    name: String,
    group_type: u8,
    /// A position in the machines.
    machine: usize,
    /// The number of the group that made it.
    creator: u32,
}

/// The locations whose events are written, process by process.
#[derive(Debug, Default)]
pub(super) struct Locations {
    all: Vec<Location>,
    /// The numbers of those of threads.
    threads: Vec<u64>,
    groups: Vec<Group>,
    machines: Vec<String>,
    /// The numbers of the groups of the current process, and of its devices.
    process: u32,
    devices: Option<u32>,
}

impl Locations {
    /// The number of the next one.
    pub(super) fn next(&self) -> u64 {
        self.all.len() as u64
    }

    /// The numbers of those of threads.
    pub(super) fn threads(&self) -> &[u64] {
        &self.threads
    }

    /// The locations from now on are those of another process.
    pub(super) fn begin_process(&mut self, name: String, hostname: &str) {
        let known = self.machines.iter().position(|machine| machine == hostname);
        let machine = known.unwrap_or_else(|| {
            self.machines.push(hostname.to_owned());
            self.machines.len() - 1
        });
        self.process = self.group(Group { name, group_type: PROCESS, machine, creator: UNDEFINED });
        self.devices = None;
    }

    /// Adds the next location of the process.
    pub(super) fn written(&mut self, name: String, kind: Kind, events: u64) {
        let group = if kind == Kind::Devices { self.group_of_devices() } else { self.process };
        if kind == Kind::Thread {
            self.threads.push(self.next());
        }
        self.all.push(Location { name, kind, group, events });
    }

    fn group_of_devices(&mut self) -> u32 {
        let (creator, process) = (self.process, self.process as usize);
        let machine = self.groups.get(process).map_or(0, |process| process.machine);
        let name = "devices".to_owned();
        let group =
            |own: &mut Self| own.group(Group { name, group_type: ACCELERATOR, machine, creator });
        let number = self.devices.unwrap_or_else(|| group(self));
        self.devices = Some(number);
        number
    }

    fn group(&mut self, group: Group) -> u32 {
        self.groups.push(group);
        u32::try_from(self.groups.len() - 1).unwrap_or(UNDEFINED)
    }

    /// Defines the machines, the processes and the locations.
    pub(super) fn define(&self, has_mpi: bool, definitions: &mut Definitions) {
        add_paradigm(Paradigm::OpenMp, "OpenMP", FORK_JOIN, definitions);
        if has_mpi {
            add_paradigm(Paradigm::Mpi, "MPI", PROCESSES, definitions);
        }
        let several = self.machines.len() > 1;
        if several {
            add_node((ROOT, UNDEFINED), "job", "job", definitions);
        }
        let (first, parent) = if several { (1, ROOT) } else { (0, UNDEFINED) };
        for (number, name) in (first..).zip(&self.machines) {
            add_node((number, parent), name, "machine", definitions);
        }
        for (number, one) in (0..).zip(&self.groups) {
            let name = definitions.text(&one.name);
            let machine = first + u32::try_from(one.machine).unwrap_or(0);
            let mut group = Record::new(kind::LOCATION_GROUP);
            group.number(number).number(name).byte(one.group_type).number(machine);
            definitions.add(group.number(one.creator));
        }
        for (number, one) in (0..).zip(&self.all) {
            let name = definitions.text(&one.name);
            let mut location = Record::new(kind::LOCATION);
            location.long(number).number(name).byte(one.kind.number());
            definitions.add(location.long(one.events).number(one.group));
        }
    }
}

impl Kind {
    /// Its number in the format.
    fn number(self) -> u8 {
        match self {
            Self::Thread | Self::Calls => 1,
            Self::Devices => 2,
        }
    }
}

/// Defines the clock, which has the times of the `window` only; time 0 is `started` ns after the
/// begin of 1970.
pub(super) fn define_clock(started: u64, (begin, end): (u64, u64), definitions: &mut Definitions) {
    let mut clock = Record::new(kind::CLOCK);
    clock.long(NANOSECONDS).long(begin).long(end.saturating_sub(begin));
    definitions.add(clock.long(started.saturating_add(begin)));
}

fn add_paradigm(paradigm: Paradigm, name: &str, class: u8, definitions: &mut Definitions) {
    let name = definitions.text(name);
    definitions.add(Record::new(kind::PARADIGM).byte(paradigm as u8).number(name).byte(class));
}

fn add_node((number, parent): (u32, u32), name: &str, class: &str, definitions: &mut Definitions) {
    let (name, class) = (definitions.text(name), definitions.text(class));
    let mut node = Record::new(kind::SYSTEM_TREE_NODE);
    definitions.add(node.number(number).number(name).number(class).number(parent));
}
