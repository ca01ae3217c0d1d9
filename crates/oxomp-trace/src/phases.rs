//! The phases of the program, as it marks them: how often each began, how long it took, and when
//! one followed the other.
//!
//! A phase that begins in another one is a part of it: its name is a path, as `step/solve`. At
//! each moment the innermost one counts, and what threads do is added to sums of that phase: the
//! upper half of a sum's kind has its number ([`crate::FoldEntry::in_phase`]). A thread goes on to
//! the sums of the next phase outside of its regions.
//!
//! There is at most one chunk of the kind, which the collector updates in place: the number of
//! phases, that of the changes in it, that of the changes for which it had no room, and a word that
//! is zero; the phases, [`MOST_PHASES`] of [`PHASE_SIZE`] bytes; the changes, of [`CHANGE_SIZE`]
//! bytes.

use std::iter;

use crate::layout::{CHUNK_PAYLOAD, u64_at};

/// In the place of a path: the time outside every phase.
pub const OUTSIDE: &str = "";
/// The most phases; the last number stands for all that are beyond.
pub const MOST_PHASES: usize = 64;
/// The most bytes of a phase's path.
pub const PATH_LENGTH: usize = 256;
/// Bytes before the first phase.
pub const PHASES_HEADER: usize = 32;
/// Bytes of a phase: four numbers, the length of its path, the path.
pub const PHASE_SIZE: usize = 40 + PATH_LENGTH;
/// Where the changes begin.
pub const OF_CHANGES: usize = PHASES_HEADER + MOST_PHASES * PHASE_SIZE;
/// Bytes of a change: its tick, and the number of the phase.
pub const CHANGE_SIZE: usize = 16;
/// The most changes that the chunk has room for.
pub const MOST_CHANGES: usize = (CHUNK_PAYLOAD - OF_CHANGES) / CHANGE_SIZE;

/// The phases of a process.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phases {
    /// By their numbers, from 1.
    pub phases: Vec<Phase>,
    /// The ticks at which another phase became the innermost one, and its number, 0 outside every
    /// phase; rising.
    pub changes: Vec<(u64, u16)>,
    /// Changes after these, for which there was no room.
    pub unlogged: u64,
}

/// One phase.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phase {
    /// Its name, behind those of the phases around it and slashes.
    pub path: String,
    /// How often it began.
    pub count: u64,
    /// For how long it was the innermost one, without what [`Phase::since`] adds; in ticks.
    pub ticks: u64,
    /// The longest time from a begin to its end, in ticks.
    pub longest: u64,
    /// The tick since when it is the innermost phase; 0: it is not.
    pub since: u64,
}

impl Phase {
    /// The phase as bytes; of a path that is too long the beginning.
    #[must_use]
    pub fn encode(&self) -> [u8; PHASE_SIZE] {
        let mut bytes = [0; PHASE_SIZE];
        let path = &self.path.as_bytes()[..self.path.len().min(PATH_LENGTH)];
        let numbers = [self.count, self.ticks, self.longest, self.since, path.len() as u64];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes[PHASE_SIZE - PATH_LENGTH..][..path.len()].copy_from_slice(path);
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let length = usize::try_from(u64_at(bytes, 32)).ok()?;
        let path = bytes[PHASE_SIZE - PATH_LENGTH..].get(..length)?;
        Some(Self {
            path: String::from_utf8_lossy(path).into_owned(),
            count: u64_at(bytes, 0),
            ticks: u64_at(bytes, 8),
            longest: u64_at(bytes, 16),
            since: u64_at(bytes, 24),
        })
    }

    /// Whether the phase is the one with this path, or a part of it.
    fn is_in(&self, path: &str) -> bool {
        let rest = self.path.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// A change as bytes.
#[must_use]
pub fn encode_change(tick: u64, number: u16) -> [u8; CHANGE_SIZE] {
    let mut bytes = [0; CHANGE_SIZE];
    bytes[..8].copy_from_slice(&tick.to_le_bytes());
    bytes[8..].copy_from_slice(&u64::from(number).to_le_bytes());
    bytes
}

impl Phases {
    /// The payload of a chunk with these phases and changes, of both as many as there is room for.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; OF_CHANGES];
        let phases = &self.phases[..self.phases.len().min(MOST_PHASES)];
        let changes = &self.changes[..self.changes.len().min(MOST_CHANGES)];
        let counts = [phases.len() as u64, changes.len() as u64, self.unlogged];
        for (place, count) in bytes.chunks_exact_mut(8).zip(counts) {
            place.copy_from_slice(&count.to_le_bytes());
        }
        for (place, phase) in bytes[PHASES_HEADER..].chunks_exact_mut(PHASE_SIZE).zip(phases) {
            place.copy_from_slice(&phase.encode());
        }
        bytes.extend(changes.iter().flat_map(|&(tick, number)| encode_change(tick, number)));
        bytes
    }

    /// The phases in a chunk's payload; `None` if that cannot be.
    pub(crate) fn read(payload: &[u8]) -> Option<Self> {
        if payload.len() < OF_CHANGES {
            return None;
        }
        let [phases, changes] = [0, 8].map(|at| usize::try_from(u64_at(payload, at)).ok());
        let (phases, changes) = (phases?, changes?);
        let of_changes = payload[OF_CHANGES..].get(..changes.checked_mul(CHANGE_SIZE)?)?;
        if phases > MOST_PHASES {
            return None;
        }
        let entries = payload[PHASES_HEADER..].chunks_exact(PHASE_SIZE).take(phases);
        let mut latest = 0;
        let change = |bytes: &[u8]| {
            let (tick, number) = (u64_at(bytes, 0), u64_at(bytes, 8));
            let is_right = tick >= latest && number <= phases as u64;
            latest = tick;
            is_right.then_some((tick, number as u16))
        };
        Some(Self {
            phases: entries.map(Phase::decode).collect::<Option<_>>()?,
            changes: of_changes.chunks_exact(CHANGE_SIZE).map(change).collect::<Option<_>>()?,
            unlogged: u64_at(payload, 16),
        })
    }

    /// The number of the innermost phase; 0 outside every phase.
    pub(crate) fn innermost(&self) -> u16 {
        let innermost = self.phases.iter().position(|phase| phase.since != 0);
        innermost.map_or(0, |at| at as u16 + 1)
    }

    /// The phases from tick `begin` on, when they were as in `earlier`; longest times are those of
    /// the whole recording.
    pub(crate) fn since(&self, earlier: Option<&Self>, begin: u64) -> Self {
        let mut part = self.clone();
        let known = earlier.map_or(&[][..], |earlier| &earlier.phases);
        for (at, phase) in part.phases.iter_mut().enumerate() {
            if let Some(known) = known.get(at) {
                phase.count = phase.count.saturating_sub(known.count);
                phase.ticks = phase.ticks.saturating_sub(known.ticks_until(begin));
            }
            if phase.since != 0 {
                phase.since = phase.since.max(begin);
            }
        }
        let before = self.changes.iter().take_while(|change| change.0 < begin).count();
        part.changes.drain(..before);
        let last = before.checked_sub(1).filter(|_| self.unlogged == 0);
        if let Some((_, number)) = last.map(|last| self.changes[last]) {
            part.changes.insert(0, (begin, number));
        }
        part
    }

    /// Whether the phase of that number is the one with this path, or a part of it.
    pub(crate) fn is_in(&self, number: u16, path: &str) -> bool {
        let Some(at) = usize::from(number).checked_sub(1) else { return path == OUTSIDE };
        self.phases.get(at).is_some_and(|phase| path != OUTSIDE && phase.is_in(path))
    }

    /// The stretches from tick to tick in which the innermost phase was the one with this path or a
    /// part of it, as far as the changes tell, in a recording from `start` to `end`.
    pub(crate) fn stretches(&self, path: &str, (start, end): (u64, u64)) -> Vec<(u64, u64)> {
        // Behind a change without room nobody knows what was innermost.
        let last = if self.unlogged == 0 { end } else { 0 };
        let begins = iter::once((start, 0)).chain(self.changes.iter().copied());
        let ends = self.changes.iter().map(|change| change.0).chain([last]);
        let stretches = begins.zip(ends).filter(|((_, number), _)| self.is_in(*number, path));
        let stretches = stretches.map(|((begin, _), end)| (begin, end));
        stretches.filter(|(begin, end)| begin < end).collect()
    }

    /// For how long the innermost phase was the one with this path or a part of it, in ticks, in a
    /// recording from `start` to `end`.
    #[must_use]
    pub fn ticks_of(&self, path: &str, (start, end): (u64, u64)) -> u64 {
        let all = |is_in: &dyn Fn(&Phase) -> bool| {
            let phases = self.phases.iter().filter(|phase| is_in(phase));
            phases.fold(0_u64, |sum, phase| sum.saturating_add(phase.ticks_until(end)))
        };
        match path {
            OUTSIDE => end.saturating_sub(start).saturating_sub(all(&|_| true)),
            path => all(&|phase| phase.is_in(path)),
        }
    }
}

impl Phase {
    /// For how long it was the innermost one in a recording that ended at `end`, in ticks.
    fn ticks_until(&self, end: u64) -> u64 {
        let open = if self.since == 0 { 0 } else { end.saturating_sub(self.since) };
        self.ticks.saturating_add(open)
    }
}

#[cfg(test)]
mod tests {
    use super::{CHANGE_SIZE, MOST_PHASES, OF_CHANGES, OUTSIDE, PHASES_HEADER, Phase, Phases};

    fn phase(path: &str, ticks: u64, since: u64) -> Phase {
        Phase { path: path.to_owned(), count: 2, ticks, longest: 7, since }
    }

    fn three() -> Phases {
        Phases {
            phases: vec![phase("step", 10, 0), phase("step/solve", 20, 90), phase("steps", 5, 0)],
            changes: vec![(40, 1), (50, 2), (60, 0), (70, 3), (90, 2)],
            unlogged: 0,
        }
    }

    #[test]
    fn phases_survive_their_bytes() {
        let phases = three();
        assert_eq!(Phases::read(&phases.encode()), Some(phases));
    }

    #[test]
    fn what_cannot_be_is_no_phase() {
        let good = three().encode();
        let changed = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            Phases::read(&bytes)
        };
        assert_eq!(Phases::read(&good[..OF_CHANGES - 1]), None);
        assert_eq!(changed(0, MOST_PHASES as u8 + 1), None, "more phases than there is room for");
        assert_eq!(changed(8, 6), None, "more changes than there are");
        assert_eq!(changed(PHASES_HEADER + 33, 2), None, "a path longer than its place");
        assert_eq!(changed(OF_CHANGES + 8, 4), None, "a change to no phase");
        assert_eq!(changed(OF_CHANGES + CHANGE_SIZE, 1), None, "a change before the last one");
    }

    #[test]
    fn a_part_of_a_recording_has_its_own_part_of_the_phases() {
        let early = Phases {
            phases: vec![phase("step", 10, 0), phase("step/solve", 5, 50)],
            changes: vec![(40, 1), (50, 2)],
            unlogged: 0,
        };
        let part = three().since(Some(&early), 55);
        assert_eq!(part.changes, [(55, 2), (60, 0), (70, 3), (90, 2)]);
        let times = part.phases.iter().map(|phase| (phase.count, phase.ticks, phase.since));
        assert_eq!(times.collect::<Vec<_>>(), [(0, 0, 0), (0, 10, 90), (2, 5, 0)]);
        assert_eq!((part.innermost(), three().since(None, 0)), (2, three()));
    }

    #[test]
    fn a_phase_lasts_while_one_of_its_parts_does() {
        let phases = three();
        let run = (10, 100);
        assert_eq!(phases.stretches("step", run), [(40, 50), (50, 60), (90, 100)]);
        assert_eq!(phases.stretches("step/solve", run), [(50, 60), (90, 100)]);
        assert_eq!(phases.stretches(OUTSIDE, run), [(10, 40), (60, 70)]);
        assert_eq!(phases.ticks_of("step", run), 10 + 20 + 10);
        assert_eq!(phases.ticks_of(OUTSIDE, run), 90 - 45);
        let unlogged = Phases { unlogged: 1, ..phases };
        assert_eq!(unlogged.stretches("step/solve", run), [(50, 60)], "nobody knows the rest");
    }
}
