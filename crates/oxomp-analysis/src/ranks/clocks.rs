//! The clocks of several machines: how far each is behind that of the first one.
//!
//! Processes of one machine share a clock. Those of different ones are put together by the time
//! since 1970 at first. Then messages and collective operations bound what is missing: none is
//! received before it was sent, and no process leaves an operation in which each needs all others
//! before the last has entered. The middle between the bounds is taken, and half their distance is
//! the error.

use std::collections::BTreeMap;

use oxomp_trace::MpiRole;

use crate::ranks::events::{Event, EventsByInstance};

/// The times of all processes on one clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clocks {
    /// By process: what is added to its times, ns.
    offsets: Vec<i128>,
    /// Machines.
    pub(super) machines: usize,
    /// By how much times of different machines may be wrong, ns: 0 for one machine; `None` if
    /// nothing bounds it.
    pub(super) error_ns: Option<u64>,
}

/// What bounds the offset of a machine, ns.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: i128,
    most: i128,
}

impl Bounds {
    const NONE: Self = Self { least: i128::MIN, most: i128::MAX };

    fn at_least(&mut self, ns: i128) {
        self.least = self.least.max(ns);
    }

    fn at_most(&mut self, ns: i128) {
        self.most = self.most.min(ns);
    }

    /// The middle, and how far it is from both; `None` if one is missing. Clocks that drift apart
    /// have bounds that contradict each other, by twice the error.
    fn middle(self) -> Option<(i128, u64)> {
        if self.least == i128::MIN || self.most == i128::MAX {
            return None;
        }
        let half = (self.most - self.least) / 2;
        Some((self.least + half, u64::try_from(half.abs()).unwrap_or(u64::MAX)))
    }
}

impl Clocks {
    /// Those of the processes of `events`.
    pub(super) fn of(events: &EventsByInstance) -> Self {
        let members = &events.0.members;
        let mut names = BTreeMap::new();
        let mut machine_of = Vec::with_capacity(members.len());
        let mut since_1970 = Vec::new();
        for member in members {
            let next = names.len();
            let machine = *names.entry(member.hostname.as_str()).or_insert(next);
            if machine == next {
                since_1970.push(member.since_1970_ns);
            }
            machine_of.push(machine);
        }
        let machines = names.len();
        if machines < 2 {
            let offsets = vec![0; machine_of.len()];
            return Self { offsets, machines, error_ns: Some(0) };
        }
        let bounds = bounds(events, &machine_of, machines);
        let mut error_ns = Some(0);
        let by_machine: Vec<i128> = (0..machines)
            .map(|machine| match bounds[machine].middle() {
                _ if machine == 0 => 0,
                Some((offset, error)) => {
                    error_ns = error_ns.map(|sum: u64| sum.max(error));
                    offset
                }
                None => {
                    error_ns = None;
                    since_1970[machine] - since_1970[0]
                }
            })
            .collect();
        let offsets = machine_of.iter().map(|&machine| by_machine[machine]).collect();
        Self { offsets, machines, error_ns }
    }

    /// What is added to the times of a process, ns.
    pub(super) fn offset(&self, process: u32) -> i128 {
        self.offsets.get(process as usize).copied().unwrap_or(0)
    }

    /// When the event began and ended, ns.
    pub(super) fn times(&self, event: &Event) -> [i128; 2] {
        let offset = self.offset(event.process);
        [event.begin_ns, event.end_ns].map(|ns| i128::from(ns) + offset)
    }
}

/// The bounds of each machine's offset from the first one.
fn bounds(events: &EventsByInstance, machine_of: &[usize], machines: usize) -> Vec<Bounds> {
    let mut bounds = vec![Bounds::NONE; machines];
    let machine = |event: &Event| machine_of[event.process as usize];
    for group in events.groups() {
        // The last begin and the first end on each machine.
        let mut extremes = BTreeMap::<usize, (u64, u64)>::new();
        let all = group.iter().filter(|event| event.role == MpiRole::AllToAll);
        for event in all {
            let own = extremes.entry(machine(event)).or_insert((0, u64::MAX));
            *own = (own.0.max(event.begin_ns), own.1.min(event.end_ns));
        }
        if let Some(&(begin, end)) = extremes.get(&0) {
            for (&other, &(other_begin, other_end)) in extremes.range(1..) {
                bounds[other].at_least(i128::from(begin) - i128::from(other_end));
                bounds[other].at_most(i128::from(end) - i128::from(other_begin));
            }
        }
        let Some(sent) = group.iter().find(|event| event.role == MpiRole::Send) else { continue };
        for received in group.iter().filter(|event| event.role == MpiRole::Receive) {
            let distance = i128::from(sent.begin_ns) - i128::from(received.end_ns);
            match (machine(sent), machine(received)) {
                (0, other) if other > 0 => bounds[other].at_least(distance),
                (other, 0) if other > 0 => bounds[other].at_most(-distance),
                _ => {}
            }
        }
    }
    bounds
}
