//! What the ranks of a job did in messages and collective operations: kept of all recordings until
//! the last one is read, in bounded memory.
//!
//! Identities of messages and operations are as good as random, and the same in all ranks. If there
//! are too many, those are dropped whose identity has a further bit that is not 0, and the others
//! stand for them: what is left has both ends of each message, and all members of each operation.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_symbols::Place;
use oxomp_trace::{MpiEvent, MpiRole, MpiWorld};

use crate::analysis::Analysis;
use crate::ranks::construct::{Key, key};

/// The most events of a job that are kept: 96 MB, and half as much again while they grow.
const MOST: usize = 2_000_000;

/// What one process did, as its recording has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RankEvents {
    /// The process in `MPI_COMM_WORLD`.
    pub world: MpiWorld,
    /// Name of the machine, whose processes share a clock.
    pub hostname: String,
    /// What is added to times of `CLOCK_MONOTONIC` for times since 1970, ns.
    pub since_1970_ns: i128,
    /// The events.
    pub events: Vec<MpiEvent>,
    /// The functions of MPI by number.
    pub functions: BTreeMap<u8, String>,
    /// The regions by code address.
    pub regions: BTreeMap<u64, Place>,
}

impl RankEvents {
    /// Those of a recording; `None` without any.
    #[must_use]
    pub fn of(analysis: &mut Analysis) -> Option<Self> {
        let profile = &mut analysis.profile;
        let world = profile.info.mpi_world?;
        let header = &profile.header;
        let function = |one: &oxomp_trace::MpiFunction| {
            Some((u8::try_from(one.number).ok()?, one.name.clone()))
        };
        Some(Self {
            world,
            hostname: profile.info.hostname.clone(),
            since_1970_ns: i128::from(header.start_unix_ns) - i128::from(header.start_monotonic_ns),
            functions: profile.info.mpi_functions.iter().filter_map(function).collect(),
            events: std::mem::take(&mut profile.mpi_events),
            regions: std::mem::take(&mut analysis.mpi_regions),
        })
    }
}

/// A process of which events are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) world: MpiWorld,
    pub(super) hostname: String,
    pub(super) since_1970_ns: i128,
}

/// An event with its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) instance: u64,
    pub(super) begin_ns: u64,
    pub(super) end_ns: u64,
    /// The process, by its position among those that were added.
    pub(super) process: u32,
    pub(super) peer: u32,
    pub(super) members: u32,
    /// The region, by its position, or [`OUTSIDE`].
    pub(super) region: u32,
    /// The function, by its position.
    pub(super) function: u16,
    pub(super) role: MpiRole,
    pub(super) thinning: u8,
    pub(super) blocking: bool,
    pub(super) on_main_thread: bool,
}

/// In place of a region.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// What all processes did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobEvents {
    pub(super) members: Vec<Member>,
    pub(super) events: Vec<Event>,
    pub(super) functions: Vec<String>,
    pub(super) regions: Vec<Place>,
    region_numbers: BTreeMap<Key, u32>,
    /// Bits of identities that are 0 in all events.
    pub(super) thinning: u8,
}

impl JobEvents {
    /// Adds what a process did. Returns its number, from 0.
    pub fn add(&mut self, rank: RankEvents) -> u32 {
        let RankEvents { world, hostname, since_1970_ns, events, functions, regions } = rank;
        let process = self.members.len() as u32;
        self.members.push(Member { world, hostname, since_1970_ns });
        let functions: BTreeMap<u8, u16> =
            functions.into_iter().map(|(number, name)| (number, self.function(name))).collect();
        let regions: BTreeMap<u64, u32> =
            regions.into_iter().map(|(code, place)| (code, self.region(place))).collect();
        for event in events {
            let Some(&function) = functions.get(&event.function) else { continue };
            if !self.is_kept(event.instance) {
                continue;
            }
            self.events.push(Event {
                instance: event.instance,
                begin_ns: event.begin_ns,
                end_ns: event.end_ns,
                process,
                peer: event.peer,
                members: event.members,
                region: regions.get(&event.code).copied().unwrap_or(OUTSIDE),
                function,
                role: event.role,
                thinning: event.thinning,
                blocking: event.blocking,
                on_main_thread: event.on_main_thread,
            });
            if self.events.len() >= MOST {
                self.thin();
            }
        }
        process
    }

    /// All events that were added, put together.
    #[must_use]
    pub fn together(mut self) -> EventsByInstance {
        self.events.sort_unstable_by_key(|event| (event.instance, event.process, event.begin_ns));
        EventsByInstance(self)
    }

    fn is_kept(&self, instance: u64) -> bool {
        instance & ((1 << self.thinning) - 1) == 0
    }

    /// Drops about half of the messages and operations.
    fn thin(&mut self) {
        while self.events.len() >= MOST && self.thinning < 63 {
            self.thinning += 1;
            let mask = (1 << self.thinning) - 1;
            self.events.retain(|event| event.instance & mask == 0);
        }
    }

    fn function(&mut self, name: String) -> u16 {
        let known = self.functions.iter().position(|one| *one == name);
        let position = known.unwrap_or_else(|| {
            self.functions.push(name);
            self.functions.len() - 1
        });
        u16::try_from(position).unwrap_or(u16::MAX)
    }

    fn region(&mut self, place: Place) -> u32 {
        let key = key(Some(&place));
        *self.region_numbers.entry(key).or_insert_with(|| {
            self.regions.push(place);
            self.regions.len() as u32 - 1
        })
    }
}

/// What all processes did, message by message, and operation by operation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EventsByInstance(pub(super) JobEvents);

impl EventsByInstance {
    /// Whether the processes are in one `MPI_COMM_WORLD`: each rank is there once.
    pub(super) fn are_of_one_world(&self) -> bool {
        let mut worlds = self.0.members.iter().map(|member| member.world);
        let size = self.0.members.first().map(|member| member.world.size);
        let mut ranks = BTreeSet::new();
        worlds.all(|world| Some(world.size) == size && ranks.insert(world.rank))
    }

    /// The events of each message, or of each collective operation.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Event]> {
        self.0.events.chunk_by(|one, other| one.instance == other.instance)
    }
}

#[cfg(test)]
mod tests {
    use oxomp_trace::{MpiEvent, MpiRole, MpiWorld};

    use super::{JobEvents, MOST, RankEvents};

    #[test]
    fn too_many_events_are_thinned_alike_in_all_ranks() {
        let mut job = JobEvents::default();
        let number = MOST as u64 / 2 + 10;
        for rank in 0..3 {
            // Identities that are spread as those of recordings.
            let instance = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
            let event = |n: u64| MpiEvent {
                begin_ns: n,
                end_ns: n + 1,
                instance: instance(n),
                code: 0,
                peer: 0,
                members: 3,
                function: 4,
                role: MpiRole::AllToAll,
                thinning: 0,
                blocking: true,
                on_main_thread: true,
            };
            let added = job.add(RankEvents {
                world: MpiWorld { rank, size: 3, left_out: 0 },
                hostname: String::new(),
                since_1970_ns: 0,
                events: (0..number).map(event).collect(),
                functions: [(4, "MPI_Barrier".to_owned())].into(),
                regions: [].into(),
            });
            assert_eq!(added, rank);
        }
        assert!(job.events.len() < MOST && job.thinning > 0, "{}", job.events.len());
        assert_eq!(job.functions, ["MPI_Barrier"], "named once");
        assert!(job.together().groups().all(|members| members.len() == 3));
    }
}
