//! The processes of a job on one line of time, with what they exchanged: for archives that show
//! all of them.

use std::collections::BTreeMap;

use oxomp_trace::MpiRole;

use crate::ranks::brief::Brief;
use crate::ranks::clocks::Clocks;
use crate::ranks::events::{Event, EventsByInstance};
use crate::ranks::job::Job;

/// The processes of a [`Job`] on one line of time. Numbers of processes are their positions in
/// [`Job::processes`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobTimeline {
    /// When each process began, ns since the first one did.
    pub starts_ns: Vec<u64>,
    /// When the first process began, ns since 1970-01-01 00:00 UTC.
    pub started_unix_ns: u64,
    /// From there to the end of the last recording, ns.
    pub wall_ns: u64,
    /// By how much times of different machines may be wrong against each other, ns: 0 on one
    /// machine; `None` if nothing bounds it.
    pub clock_error_ns: Option<u64>,
    /// The functions of MPI.
    pub functions: Vec<String>,
    /// The processes of each set in which there was something to exchange, by their ranks in
    /// `MPI_COMM_WORLD`: first all that are known to be in that, if any is.
    pub communicators: Vec<Vec<u32>>,
    /// Whether parts stand for others of the same kind.
    pub is_sampled: bool,
    /// By process, then by begin.
    parts: Vec<(u32, MpiPart)>,
}

/// The part of a process in a message of which both ends are known, or in a collective operation of
/// which all members are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MpiPart {
    /// When the call began, ns since the process did.
    pub begin_ns: u64,
    /// When it ended.
    pub end_ns: u64,
    /// The function: a position in [`JobTimeline::functions`].
    pub function: u16,
    /// Whether the call was on the process's main thread.
    pub on_main_thread: bool,
    /// What the process did.
    pub what: Exchange,
}

/// What a process exchanged with others. Ranks are positions in a communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// A message, numbered alike at both ends, to this rank of the first communicator.
    Send {
        /// The number.
        message: u32,
        /// Who receives it.
        to: u32,
    },
    /// A message from this rank of the first communicator.
    Receive {
        /// The number.
        message: u32,
        /// Who sent it.
        from: u32,
    },
    /// An operation of all members of a communicator.
    Collective {
        /// A position in [`JobTimeline::communicators`].
        communicator: u32,
        /// The root's rank.
        root: Option<u32>,
    },
}

impl JobTimeline {
    /// That of the processes of `job`, with what they exchanged in the window, ns since the first
    /// process began, by the `events` in which [`Brief::events`] names each process.
    #[must_use]
    pub fn of(job: &Job, events: &EventsByInstance, window: (u64, u64)) -> Self {
        let clocks = Clocks::of(events);
        let begins = begins(job, events, &clocks);
        let first = begins.iter().copied().min().unwrap_or(0);
        let since = |time: i128| u64::try_from(time - first).unwrap_or(0);
        let starts_ns: Vec<u64> = begins.iter().map(|begin| since(*begin)).collect();
        let ends = job.processes.iter().zip(&starts_ns);
        let earliest = starts_ns.iter().position(|start| *start == 0);
        let started = earliest.and_then(|earliest| job.processes.get(earliest));
        let mut timeline = Self {
            wall_ns: ends.map(|(one, start)| start.saturating_add(one.wall_ns)).max().unwrap_or(0),
            starts_ns,
            started_unix_ns: started.map_or(0, |one| one.started_unix_ns),
            clock_error_ns: clock_error(job, &clocks),
            functions: events.0.functions.clone(),
            is_sampled: events.0.thinning > 0 || events.0.events.iter().any(|it| it.thinning > 0),
            ..Self::default()
        };
        if !job.mixed && !events.0.members.is_empty() && events.are_of_one_world() {
            let since = |time: i128| time - first;
            Exchanged::new(job, events, &mut timeline).find(&clocks, &since, window);
        }
        timeline
    }

    /// What the process did in messages and collective operations, by time.
    pub fn parts(&self, process: usize) -> impl Iterator<Item = MpiPart> + '_ {
        let own = |number: &u32| *number as usize;
        let first = self.parts.partition_point(|(number, _)| own(number) < process);
        let parts = self.parts[first..].iter();
        parts.take_while(move |(number, _)| own(number) == process).map(|(_, part)| *part)
    }
}

/// When each process began, by the clock of the first machine, ns.
fn begins(job: &Job, events: &EventsByInstance, clocks: &Clocks) -> Vec<i128> {
    let since_1970 =
        |one: &Brief| i128::from(one.started_unix_ns) - i128::from(one.started_monotonic_ns);
    // The processes of a machine share a clock: what is added to its times is one number.
    let mut added: BTreeMap<&str, i128> = BTreeMap::new();
    for (process, member) in (0..).zip(&events.0.members) {
        added.entry(&member.hostname).or_insert_with(|| clocks.offset(process));
    }
    let reference = events.0.members.first().map(|member| member.since_1970_ns);
    let reference = reference.or_else(|| job.processes.first().map(since_1970)).unwrap_or(0);
    let mut begins = Vec::with_capacity(job.processes.len());
    for one in &job.processes {
        let added = *added.entry(&one.hostname).or_insert_with(|| since_1970(one) - reference);
        begins.push(i128::from(one.started_monotonic_ns) + added);
    }
    begins
}

/// By how much times of different machines may be wrong; `None` if nothing bounds it.
fn clock_error(job: &Job, clocks: &Clocks) -> Option<u64> {
    let mut hosts: Vec<&str> = job.processes.iter().map(|one| one.hostname.as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    match hosts.len() {
        0 | 1 => Some(0),
        machines if machines == clocks.machines => clocks.error_ns,
        _ => None,
    }
}

/// What processes exchanged, while it is found.
struct Exchanged<'a> {
    events: &'a EventsByInstance,
    timeline: &'a mut JobTimeline,
    /// By number of the events' process, its position in the job.
    position: Vec<Option<u32>>,
    /// By number of the events' process, its begin on its own clock, ns.
    begins: Vec<u64>,
    /// By number of the events' process, its place among those that are known.
    ranks: Vec<u32>,
    communicators: BTreeMap<Vec<u32>, u32>,
    messages: u32,
}

impl<'a> Exchanged<'a> {
    fn new(job: &Job, events: &'a EventsByInstance, timeline: &'a mut JobTimeline) -> Self {
        let members = &events.0.members;
        let (mut position, mut begins) = (vec![None; members.len()], vec![0; members.len()]);
        for (at, process) in (0..).zip(&job.processes) {
            let number = process.events.map(|number| number as usize);
            if let Some(number) = number.filter(|number| *number < members.len()) {
                (position[number], begins[number]) = (Some(at), process.started_monotonic_ns);
            }
        }
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.retain(|process| position[*process].is_some());
        order.sort_by_key(|process| members[*process].world.rank);
        let mut ranks = vec![0; members.len()];
        for (rank, process) in (0..).zip(&order) {
            ranks[*process] = rank;
        }
        let world: Vec<u32> = order.iter().filter_map(|process| position[*process]).collect();
        timeline.communicators = vec![world.clone()];
        let communicators = [(world, 0)].into();
        Self { events, timeline, position, begins, ranks, communicators, messages: 0 }
    }

    fn find(&mut self, clocks: &Clocks, since: &dyn Fn(i128) -> i128, window: (u64, u64)) {
        let window = i128::from(window.0)..=i128::from(window.1);
        let is_shown = |event: &Event| {
            self.position[event.process as usize].is_some()
                && clocks.times(event).iter().all(|time| window.contains(&since(*time)))
        };
        let events = self.events;
        let shown: Vec<&[Event]> =
            events.groups().filter(|group| group.iter().all(is_shown)).collect();
        for group in shown {
            match group[0].role {
                MpiRole::Send | MpiRole::Receive => self.message(group, clocks),
                _ => self.collective(group),
            }
        }
        self.timeline
            .parts
            .sort_by_key(|(process, part)| (*process, part.begin_ns, part.end_ns, part.function));
    }

    /// A message, if both its ends are there.
    fn message(&mut self, group: &[Event], clocks: &Clocks) {
        let sent = group.iter().find(|event| event.role == MpiRole::Send);
        // A call that waits until a message can be received comes before the one that receives it.
        let received = group.iter().filter(|event| event.role == MpiRole::Receive);
        let received = received.max_by_key(|event| event.end_ns);
        let (Some(sent), Some(received)) = (sent, received) else { return };
        // Not the same message: the order in which they were counted was another one.
        let error = i128::from(clocks.error_ns.unwrap_or(0));
        if clocks.times(received)[1] + error < clocks.times(sent)[0] {
            return;
        }
        let message = self.messages;
        self.messages = self.messages.saturating_add(1);
        let rank = |event: &Event| self.ranks[event.process as usize];
        let (from, to) = (rank(sent), rank(received));
        self.add(sent, Exchange::Send { message, to });
        self.add(received, Exchange::Receive { message, from });
    }

    /// A collective operation, if all its members are there.
    fn collective(&mut self, group: &[Event]) {
        let is_whole = group.len() == group[0].members as usize
            && group.windows(2).all(|two| two[0].process != two[1].process);
        if !is_whole {
            return;
        }
        let members = &self.events.0.members;
        let mut order: Vec<&Event> = group.iter().collect();
        order.sort_by_key(|event| self.ranks[event.process as usize]);
        let is_root = |event: &&Event| {
            event.role != MpiRole::AllToAll
                && members[event.process as usize].world.rank == event.peer
        };
        let root = order.iter().position(is_root).and_then(|root| u32::try_from(root).ok());
        let position = |event: &&Event| self.position[event.process as usize];
        let processes: Vec<u32> = order.iter().filter_map(position).collect();
        let communicators = &mut self.timeline.communicators;
        let communicator = *self.communicators.entry(processes).or_insert_with_key(|processes| {
            communicators.push(processes.clone());
            communicators.len() as u32 - 1
        });
        for event in group {
            self.add(event, Exchange::Collective { communicator, root });
        }
    }

    fn add(&mut self, event: &Event, what: Exchange) {
        let process = event.process as usize;
        let Some(position) = self.position[process] else { return };
        let since = |time: u64| time.saturating_sub(self.begins[process]);
        let part = MpiPart {
            begin_ns: since(event.begin_ns),
            end_ns: since(event.end_ns),
            function: event.function,
            on_main_thread: event.on_main_thread,
            what,
        };
        self.timeline.parts.push((position, part));
    }
}
