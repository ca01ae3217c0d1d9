//! What a look tells of the slices before it.
//!
//! A look at a thread in the middle of something takes it for the most likely: a wait at a barrier
//! for one for the last thread, where it may be idle in serial code; user code for useful, where
//! the system may have given the processor to another thread. What it was, the thread's sums tell
//! when it ends, perhaps many slices later. Then time goes from the one class to the other in those
//! slices. A thread that OpenMP gets to know late tells only then what it did before.

use std::collections::HashMap;

use crate::event::EventKind;
use crate::fold::{
    CLASSES, FoldEntry, FoldKind, difference, is_time, is_unchanged, scheduler, thread, total,
};
use crate::follow::Look;
use crate::read::Profile;
use crate::slices::Slice;
use crate::thread_events::ThreadEvents;

/// The classes in which a thread may be without a processor, or blocked.
const IN_CODE: [usize; 2] = [thread::USEFUL, thread::SERIAL];
const NOT_COMPUTED: [usize; 2] = [scheduler::TAKEN, scheduler::BLOCKED];

/// Adds the slice from tick `begin` up to the look `now`, after `last`, to those before it, and
/// settles in these what is known by now.
pub(crate) fn add_slice(slices: &mut Vec<Slice>, begin: u64, now: &Look, last: Option<&Look>) {
    let mut slice = Slice { begin, end: now.tick(), sums: Vec::new() };
    for stream in &now.profile.threads {
        let known = last.and_then(|last| {
            last.profile.threads.iter().find(|known| known.number == stream.number)
        });
        let known: HashMap<_, _> = known
            .into_iter()
            .flat_map(|known| &known.folded)
            .map(|entry| (entry.identity(), entry))
            .collect();
        let mut own = Vec::with_capacity(stream.folded.len());
        for entry in &stream.folded {
            let mut grown = match known.get(&entry.identity()) {
                Some(earlier) if is_time(entry) => reclassed(slices, stream.number, earlier, entry),
                Some(earlier) => difference(earlier, entry),
                None => *entry,
            };
            // The thread is new.
            if is_time(entry) && !known.contains_key(&entry.identity()) {
                let before = serial_before(&now.profile, stream, entry.key[0]);
                grown.values[thread::SERIAL] = grown.values[thread::SERIAL].saturating_add(before);
            }
            own.push(grown);
        }
        for time in own.iter_mut().filter(|entry| is_time(entry)) {
            let begin = begin_of(stream, time.key[0]);
            let before = serial_before(&now.profile, stream, time.key[0]);
            let lived = (begin.saturating_sub(before), slice.end);
            let excess = total(time).saturating_sub(overlap(&slice, lived));
            move_back(slices, stream.number, time, lived.0, excess);
        }
        not_computed_earlier(slices, stream.number, &mut own);
        let own = own.into_iter().filter(|entry| !is_unchanged(entry));
        slice.sums.extend(own.map(|entry| (stream.number, entry)));
    }
    slices.push(slice);
}

/// The tick at which a thread of the stream began.
fn begin_of(stream: &ThreadEvents, life: u64) -> u64 {
    let begins = stream.records.iter().filter(|it| it.event() == Some(EventKind::ThreadBegin));
    let life = usize::try_from(life).unwrap_or(usize::MAX);
    begins.map(|begin| begin.tick).nth(life).unwrap_or(0)
}

/// The ticks from the begin of the process to the first event of this thread, if it is the
/// process's first: it was in serial code.
fn serial_before(profile: &Profile, stream: &ThreadEvents, life: u64) -> u64 {
    let is_first = life == 0 && profile.is_first(stream);
    let begin = profile.header.start_tick;
    if is_first { begin_of(stream, life).saturating_sub(begin) } else { 0 }
}

/// The ticks of a slice in which a thread lived.
fn overlap(slice: &Slice, (begin, end): (u64, u64)) -> u64 {
    slice.end.min(end).saturating_sub(slice.begin.max(begin))
}

/// The entry of a slice with the key of `like`.
fn known<'a>(slice: &'a mut Slice, stream: u32, like: &FoldEntry) -> Option<&'a mut FoldEntry> {
    let mut own = slice.sums.iter_mut().filter(|(number, _)| *number == stream);
    own.find(|(_, entry)| entry.identity() == like.identity()).map(|(_, entry)| entry)
}

/// The same; made if there is none.
fn entry<'a>(slice: &'a mut Slice, stream: u32, like: &FoldEntry) -> Option<&'a mut FoldEntry> {
    if known(slice, stream, like).is_none() {
        let mut fresh = FoldEntry { values: [0; 12], ..*like };
        if is_time(like) {
            fresh.values[thread::UNTIL] = slice.end;
        }
        slice.sums.push((stream, fresh));
    }
    known(slice, stream, like)
}

/// What has been added to a thread's time. Where a class has less than before, it goes to the
/// classes that have more, in the latest of the slices that had it.
fn reclassed(slices: &mut [Slice], stream: u32, earlier: &FoldEntry, now: &FoldEntry) -> FoldEntry {
    let mut grown = difference(earlier, now);
    for class in CLASSES {
        let mut owed = earlier.values[class].saturating_sub(now.values[class]);
        for slice in slices.iter_mut().rev() {
            if owed == 0 {
                break;
            }
            let Some(known) = known(slice, stream, now) else { continue };
            // What no class has more of by now stays: a wait that goes on may be told shorter.
            let more = CLASSES.iter().fold(0, |all: u64, at| all.saturating_add(grown.values[*at]));
            let taken = owed.min(known.values[class]).min(more);
            owed -= taken;
            known.values[class] -= taken;
            hand_over(&mut grown, known, taken);
        }
    }
    grown
}

/// Moves `excess` ticks of a thread's time, which began at tick `begin`, to the earlier slices that
/// have room for them, from the largest classes first. What has no room anywhere stays.
fn move_back(slices: &mut [Slice], stream: u32, time: &mut FoldEntry, begin: u64, mut excess: u64) {
    for slice in slices.iter_mut().rev() {
        if excess == 0 {
            break;
        }
        let lived = overlap(slice, (begin, u64::MAX));
        if lived == 0 {
            continue;
        }
        let Some(known) = entry(slice, stream, time) else { break };
        let part = excess.min(lived.saturating_sub(total(known)));
        excess -= part;
        hand_over(time, known, part);
    }
}

/// Moves so many ticks of a thread's time, as far as there are so many, from one entry to another,
/// from the largest classes first.
fn hand_over(from: &mut FoldEntry, to: &mut FoldEntry, mut ticks: u64) {
    while ticks > 0
        && let Some(class) = CLASSES.into_iter().max_by_key(|class| from.values[*class])
        && from.values[class] > 0
    {
        let moved = ticks.min(from.values[class]);
        to.values[class] = to.values[class].saturating_add(moved);
        from.values[class] -= moved;
        ticks -= moved;
    }
}

/// Ticks in which the threads of a stream were in user code, less those in which they did not
/// compute there.
fn computed<'a>(sums: impl Iterator<Item = &'a FoldEntry>) -> (u64, u64) {
    sums.fold((0, 0), |(code, lost), sum| {
        let of = |values: [usize; 2]| {
            values.iter().fold(0_u64, |all, at| all.saturating_add(sum.values[*at]))
        };
        match sum.fold_kind() {
            Some(FoldKind::Thread) => (code.saturating_add(of(IN_CODE)), lost),
            Some(FoldKind::Scheduler) => (code, lost.saturating_add(of(NOT_COMPUTED))),
            _ => (code, lost),
        }
    })
}

/// A stretch of user code tells at its end how long its thread did not compute. What is more than
/// the user code of the slice was in the slices before.
fn not_computed_earlier(slices: &mut [Slice], stream: u32, own: &mut [FoldEntry]) {
    let (code, lost) = computed(own.iter());
    let mut excess = lost.saturating_sub(code);
    for slice in slices.iter_mut().rev() {
        if excess == 0 {
            return;
        }
        let sums = slice.sums.iter().filter(|(number, _)| *number == stream);
        let (code, lost) = computed(sums.map(|(_, entry)| entry));
        let mut room = code.saturating_sub(lost).min(excess);
        for sum in own.iter_mut().filter(|sum| sum.is_of(FoldKind::Scheduler)) {
            for at in NOT_COMPUTED {
                let part = room.min(sum.values[at]);
                if part > 0
                    && let Some(known) = entry(slice, stream, sum)
                {
                    known.values[at] = known.values[at].saturating_add(part);
                    sum.values[at] -= part;
                    (room, excess) = (room - part, excess - part);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, computed, move_back, not_computed_earlier, reclassed};
    use crate::fold::{FoldEntry, FoldKind, scheduler, thread};
    use crate::slices::Slice;

    fn time(values: &[(usize, u64)]) -> FoldEntry {
        let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
        values.iter().for_each(|&(class, value)| entry.values[class] = value);
        entry
    }

    fn slices(times: [FoldEntry; 3]) -> Vec<Slice> {
        let slice = |(begin, entry)| Slice { begin, end: begin + 10, sums: vec![(1, entry)] };
        [0, 10, 20].into_iter().zip(times).map(slice).collect()
    }

    fn value(slices: &[Slice], class: usize) -> Vec<u64> {
        slices.iter().map(|slice| slice.sums[0].1.values[class]).collect()
    }

    #[test]
    fn a_wait_that_was_something_else_is_that_in_all_slices_in_which_it_was() {
        let wait = time(&[(thread::IMBALANCE, 10)]);
        let mut before = slices([time(&[(thread::USEFUL, 9), (thread::IMBALANCE, 1)]), wait, wait]);
        let earlier = time(&[(thread::USEFUL, 9), (thread::IMBALANCE, 21)]);
        let now = time(&[(thread::USEFUL, 13), (thread::IMBALANCE, 1), (thread::SERIAL_IDLE, 26)]);
        let grown = reclassed(&mut before, 1, &earlier, &now);
        assert_eq!(value(&before, thread::IMBALANCE), [1, 0, 0]);
        assert_eq!(value(&before, thread::SERIAL_IDLE), [0, 10, 10]);
        let rest = [thread::USEFUL, thread::SERIAL_IDLE].map(|class| grown.values[class]);
        assert_eq!(rest, [4, 6], "what is of the new slice");
    }

    #[test]
    fn a_thread_that_is_known_late_has_its_time_where_it_was() {
        let mut before = slices([time(&[]), time(&[]), time(&[(thread::IMBALANCE, 4)])]);
        let mut own = time(&[(thread::SERIAL, 25), (thread::USEFUL, 3)]);
        // It began at tick 5, and is seen at tick 30.
        move_back(&mut before, 1, &mut own, 5, 18);
        assert_eq!(value(&before, thread::SERIAL), [2, 10, 6]);
        assert_eq!([own.values[thread::SERIAL], own.values[thread::USEFUL]], [7, 3]);
        let all: u64 = before.iter().flat_map(|it| CLASSES.map(|at| it.sums[0].1.values[at])).sum();
        assert_eq!(all + 10, 28 + 4);
    }

    #[test]
    fn a_lack_of_processors_is_in_the_slices_whose_code_lacked_them() {
        let code = time(&[(thread::USEFUL, 10)]);
        let mut before = slices([code, code, time(&[(thread::IMBALANCE, 10)])]);
        let mut lost = FoldEntry { kind: FoldKind::Scheduler as u32, ..FoldEntry::default() };
        lost.values[scheduler::TAKEN] = 16;
        lost.values[scheduler::BLOCKED] = 5;
        let mut own = [time(&[(thread::USEFUL, 4)]), lost];
        not_computed_earlier(&mut before, 1, &mut own);
        assert_eq!(computed(own.iter()), (4, 4));
        let of = |slice: &Slice| computed(slice.sums.iter().map(|(_, entry)| entry));
        assert_eq!(before.iter().map(of).collect::<Vec<_>>(), [(10, 7), (10, 10), (0, 0)]);
    }
}
