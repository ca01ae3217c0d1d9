//! Which cache lines threads share at the same time, by what samples tell of the memory that their
//! code used.
//!
//! A sample tells that its thread used some bytes at about that time. That two threads have used a
//! line says little: every element of an array goes from one thread to another when a loop over it
//! runs again, and a line may belong to one thread now and to another one later, without cost. What
//! costs is a line that two threads use *at the same time*, while one of them writes: then nearly
//! each use waits for the line to come from the other processor. So these have to hold:
//!
//! * **A thread stays at the line.** Take a thread's samples at instructions that use the line.
//!   After a sample at the line, the next of these is at it again in at least [`STAYS`] of the
//!   cases. A thread that walks over an array is at another line by then, unless all that it walks
//!   over are two or three lines.
//! * **They are there at the same time.** If threads use the line independently of each other,
//!   their samples at it come in random order: from one to the next the thread changes in the part
//!   1 − Σ(nᵢ/n)² of the cases. A line that goes from one thread to another now and then has long
//!   runs of one thread's samples instead. At least half of those changes have to be there.
//! * **One of them writes**, in samples of two threads with no other in between.
//!
//! Two neighbouring samples whose threads use different bytes show *neighbours* in the line (false
//! sharing), those that use the same bytes one *variable*. Bytes of one variable may be used by one
//! thread in one execution of the region and by another one in the next: there both samples have to
//! be of one execution. Of neighbours they need not be if each thread has its own bytes throughout,
//! since then both threads most often use the line in each execution, which is often shorter than
//! the time between two samples. But if at least [`STRETCHES`] stretches between barriers have
//! several samples at the line, one of them must have two threads.
//!
//! Code that threads execute one after the other has no samples here: code in a critical or single
//! region, with a lock held, or in tasks with dependences. One case cannot be told apart: a line
//! that threads hand to each other in another way, several times between two samples (some
//! milliseconds), as at barriers, in a dynamic loop over very few lines, with the program's own
//! kind of locks, or with locks for which no thread waits. Such a line changes its processor each
//! time, but that may cost little.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::summary::LineSharing;

/// Bytes of a cache line.
pub(super) const LINE: u64 = 64;

/// Samples at a line that each of two threads needs.
const ENOUGH: usize = 4;
/// Pairs of neighbouring samples of two threads that a line needs, and their part of all pairs of
/// two threads.
const PAIRS: u64 = 4;
const PART_OF_PAIRS: f64 = 0.1;
/// After a sample at the line, the part of a thread's samples that has to be at the line again.
const STAYS: f64 = 0.3;
/// From this number of stretches with several samples on, one of them must have two threads; fewer
/// stretches may have one thread each by chance.
const STRETCHES: usize = 4;
/// The most lines of a region that are looked at.
const MOST_LINES: usize = 256;

/// The most lines that an instruction uses, but for those that save all registers.
const LINES_OF_ONE: usize = 3;

/// The lines that have the `bytes` from `address` on, each with a bit for each of these in it.
pub(super) fn in_lines(address: u64, bytes: u32) -> impl Iterator<Item = (u64, u64)> {
    let last = address.saturating_add(u64::from(bytes.max(1)) - 1);
    (address / LINE..=last / LINE).take(LINES_OF_ONE).map(move |line| {
        let begin = if line == address / LINE { address % LINE } else { 0 };
        let end = if line == last / LINE { last % LINE } else { LINE - 1 };
        (line, u64::MAX >> (LINE - 1 - (end - begin)) << begin)
    })
}

/// An access to memory inside of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineAccess {
    pub(super) instruction: u64,
    /// The number of the line: the address divided by [`LINE`].
    pub(super) line: u64,
    /// A bit for each byte of the line that is used.
    pub(super) bytes: u64,
    pub(super) writes: bool,
    pub(super) is_atomic: bool,
    /// Whether the sample stands for time of this instruction.
    pub(super) is_near: bool,
    /// Whether the thread has executed the instruction.
    pub(super) is_certain: bool,
}

/// What a sample tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SampledAccesses {
    pub(super) tick: u64,
    /// The system's id of the thread.
    pub(super) tid: u32,
    /// The number of the region, which differs between executions.
    pub(super) execution: u64,
    /// A number that differs between the stretches from one barrier to the next, too.
    pub(super) stretch: u64,
    /// For how many samples it stands.
    pub(super) weight: u64,
    pub(super) accesses: Vec<LineAccess>,
}

impl SampledAccesses {
    /// What the thread has certainly used in a line.
    fn certain_accesses(&self, line: u64) -> impl Iterator<Item = &LineAccess> {
        self.accesses.iter().filter(move |one| one.line == line && one.is_certain)
    }
}

/// A line that threads share at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DetectedLine {
    pub(super) line: u64,
    pub(super) sharing: LineSharing,
    /// The system's ids of the threads.
    pub(super) tids: BTreeSet<u32>,
    /// The first byte that they use.
    pub(super) first: u32,
    /// The instructions that use it.
    pub(super) instructions: BTreeMap<u64, InstructionUse>,
    /// The positions of the samples that stand for time of any of these.
    pub(super) near: Vec<usize>,
}

/// How an instruction uses a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct InstructionUse {
    /// The samples that stand for its time.
    pub(super) samples: u64,
    pub(super) writes: bool,
}

/// What one sample says of one line.
#[derive(Debug, Clone, Copy)]
struct Visit {
    tid: u32,
    execution: u64,
    stretch: u64,
    used: u64,
    written: u64,
    /// The bytes that an atomic update uses; they are in `used` as well.
    atomic: u64,
}

impl Visit {
    fn new(sample: &SampledAccesses, line: u64) -> Self {
        let accesses = || sample.certain_accesses(line);
        let bytes = |accesses: &mut dyn Iterator<Item = &LineAccess>| {
            accesses.fold(0, |all, one| all | one.bytes)
        };
        Self {
            tid: sample.tid,
            execution: sample.execution,
            stretch: sample.stretch,
            used: bytes(&mut accesses()),
            written: bytes(&mut accesses().filter(|one| one.writes)),
            atomic: bytes(&mut accesses().filter(|one| one.is_atomic)),
        }
    }

    /// The bytes that both use while one of them writes.
    fn conflict(&self, other: &Self) -> u64 {
        self.written & other.used | other.written & self.used
    }

    /// The first byte that the thread writes, or, if it writes no byte, the first that it uses.
    fn begin(&self) -> u32 {
        if self.written != 0 { self.written } else { self.used }.trailing_zeros()
    }
}

/// The lines that threads share at the same time, by samples of one region in the order of their
/// ticks.
pub(super) fn detect(samples: &[SampledAccesses]) -> Vec<DetectedLine> {
    let mut at_line = HashMap::<u64, Vec<usize>>::new();
    let mut by_instruction = HashMap::<u64, Vec<usize>>::new();
    let add = |list: &mut Vec<usize>, number| {
        if list.last() != Some(&number) {
            list.push(number);
        }
    };
    for (number, sample) in samples.iter().enumerate() {
        for one in &sample.accesses {
            add(at_line.entry(one.line).or_default(), number);
            if one.is_certain {
                add(by_instruction.entry(one.instruction).or_default(), number);
            }
        }
    }
    let mut candidates: Vec<(u64, Vec<usize>)> = at_line.into_iter().collect();
    candidates.retain(|(line, at)| {
        let there = || {
            at.iter().map(|&at| &samples[at]).filter(|one| one.certain_accesses(*line).count() > 0)
        };
        let threads = threads_often(there().map(|sample| sample.tid));
        threads.len() > 1
            && there().any(|sample| sample.certain_accesses(*line).any(|one| one.writes))
    });
    candidates.sort_by_key(|(line, at)| (std::cmp::Reverse(at.len()), *line));
    candidates.truncate(MOST_LINES);
    let judged = candidates.into_iter().filter_map(|(line, at)| {
        let users = at.iter().flat_map(|&at| samples[at].certain_accesses(line));
        let users: HashSet<u64> = users.map(|one| one.instruction).collect();
        let mut all: Vec<usize> = users
            .iter()
            .filter_map(|user| by_instruction.get(user))
            .flat_map(|samples| samples.iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        let staying = staying(all.iter().map(|&at| {
            let sample = &samples[at];
            (sample.tid, sample.certain_accesses(line).count() > 0)
        }));
        judge(line, samples, &at, &staying)
    });
    judged.collect()
}

/// The threads that come often enough.
fn threads_often(threads: impl Iterator<Item = u32>) -> BTreeSet<u32> {
    let mut counts = BTreeMap::<u32, usize>::new();
    for thread in threads {
        *counts.entry(thread).or_default() += 1;
    }
    counts.retain(|_, count| *count >= ENOUGH);
    counts.into_keys().collect()
}

/// The threads that stay at a line: `samples` are those by the instructions that use it, each with
/// its thread, and whether it is at the line.
fn staying(samples: impl Iterator<Item = (u32, bool)>) -> BTreeSet<u32> {
    /// Whether the last sample was at the line, and the samples that came next after one there: all
    /// and those at the line.
    #[derive(Default)]
    struct Stay {
        was_there: bool,
        next: u64,
        again: u64,
    }
    let mut stays = BTreeMap::<u32, Stay>::new();
    for (thread, is_there) in samples {
        let stay = stays.entry(thread).or_default();
        stay.next += u64::from(stay.was_there);
        stay.again += u64::from(stay.was_there && is_there);
        stay.was_there = is_there;
    }
    stays.retain(|_, stay| stay.again > 0 && stay.again as f64 >= STAYS * stay.next as f64);
    stays.into_keys().collect()
}

/// How the threads that stay at `line` share it, by all samples at it, which have the positions
/// `at`.
fn judge(
    line: u64,
    samples: &[SampledAccesses],
    at: &[usize],
    staying: &BTreeSet<u32>,
) -> Option<DetectedLine> {
    let is_there = |sample: &&SampledAccesses| sample.certain_accesses(line).count() > 0;
    let is_staying = |sample: &&SampledAccesses| staying.contains(&sample.tid);
    let of_staying = || at.iter().map(|&at| &samples[at]).filter(is_there).filter(is_staying);
    let tids = threads_often(of_staying().map(|sample| sample.tid));
    let there = of_staying().filter(|sample| tids.contains(&sample.tid));
    let visits: Vec<Visit> = there.map(|sample| Visit::new(sample, line)).collect();
    let changes = visits.windows(2).filter(|pair| pair[0].tid != pair[1].tid).count();
    if tids.len() < 2 || (changes as f64) < changes_by_chance(&visits) / 2.0 {
        return None;
    }
    let own = own_bytes(&visits);
    if !meet(&visits) {
        return None;
    }
    let mut of_variable = 0;
    // Pairs of neighbours by their distance.
    let mut distances = BTreeMap::<u32, u64>::new();
    for pair in visits.windows(2).filter(|pair| pair[0].tid != pair[1].tid) {
        let (one, other) = (&pair[0], &pair[1]);
        let is_one_execution = one.execution == other.execution && one.execution != 0;
        let conflict = one.conflict(other);
        // The report tells of atomic updates of one variable in another place.
        let is_variable = is_one_execution && conflict & !(one.atomic | other.atomic) != 0;
        let are_neighbours = conflict == 0
            && one.written | other.written != 0
            && one.atomic & other.atomic == 0
            && (one.atomic != one.used || other.atomic != other.used)
            && (is_one_execution || own[&one.tid].conflict(&own[&other.tid]) == 0);
        if is_variable {
            of_variable += 1;
        } else if are_neighbours {
            *distances.entry(one.begin().abs_diff(other.begin())).or_default() += 1;
        }
    }
    let of_neighbours: u64 = distances.values().sum();
    let most = of_neighbours.max(of_variable);
    if most < PAIRS || (most as f64) < PART_OF_PAIRS * changes as f64 {
        return None;
    }
    let (instructions, near) = time_at(line, samples, at);
    let distance = distances.into_iter().max_by_key(|(_, pairs)| *pairs);
    let sharing = match distance {
        Some((distance, _)) if of_neighbours > of_variable => LineSharing::Neighbours(distance),
        _ => LineSharing::Variable,
    };
    let used = visits.iter().fold(0, |all, visit| all | visit.used);
    Some(DetectedLine { line, sharing, tids, first: used.trailing_zeros(), instructions, near })
}

/// How often the thread changes from one visit to the next if their order is random.
fn changes_by_chance(visits: &[Visit]) -> f64 {
    let mut counts = BTreeMap::<u32, f64>::new();
    for visit in visits {
        *counts.entry(visit.tid).or_default() += 1.0;
    }
    let all = visits.len() as f64;
    all - counts.values().map(|count| count * count).sum::<f64>() / all
}

/// Whether the threads may be at the line at the same time. If at least [`STRETCHES`] stretches
/// between barriers have several samples, one of them must have two threads.
fn meet(visits: &[Visit]) -> bool {
    /// The thread of the first sample, and whether others follow, also of another thread.
    struct Stretch {
        first: u32,
        has_several: bool,
        has_two: bool,
    }
    let mut stretches = HashMap::<u64, Stretch>::new();
    for visit in visits.iter().filter(|visit| visit.stretch != 0) {
        match stretches.entry(visit.stretch) {
            Entry::Vacant(entry) => {
                entry.insert(Stretch { first: visit.tid, has_several: false, has_two: false });
            }
            Entry::Occupied(mut entry) => {
                let stretch = entry.get_mut();
                stretch.has_several = true;
                stretch.has_two |= stretch.first != visit.tid;
            }
        }
    }
    let several = stretches.values().filter(|stretch| stretch.has_several).count();
    several < STRETCHES || stretches.values().any(|stretch| stretch.has_two)
}

/// All bytes that each thread uses and writes.
fn own_bytes(visits: &[Visit]) -> BTreeMap<u32, Visit> {
    let mut own = BTreeMap::<u32, Visit>::new();
    for visit in visits {
        let all = own.entry(visit.tid).or_insert(*visit);
        all.used |= visit.used;
        all.written |= visit.written;
    }
    own
}

/// The instructions that use the line, and the positions of the samples that stand for their time.
/// Samples at atomic updates are not counted here.
fn time_at(
    line: u64,
    samples: &[SampledAccesses],
    at: &[usize],
) -> (BTreeMap<u64, InstructionUse>, Vec<usize>) {
    let mut instructions = BTreeMap::<u64, InstructionUse>::new();
    let mut near = Vec::new();
    for &position in at {
        let sample = &samples[position];
        let is_atomic = sample.accesses.iter().any(|one| one.is_near && one.is_atomic);
        let mut is_counted = false;
        for one in sample.accesses.iter().filter(|one| one.line == line && !one.is_atomic) {
            let known = instructions.entry(one.instruction).or_default();
            known.writes |= one.writes;
            if one.is_near && !is_atomic {
                known.samples += sample.weight;
                is_counted = true;
            }
        }
        if is_counted {
            near.push(position);
        }
    }
    (instructions, near)
}

#[cfg(test)]
mod tests;
