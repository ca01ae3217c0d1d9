//! To whom the sums of a stream belong: threads, phases.

use crate::event::{EventKind, Record};
use crate::fold::{FoldEntry, FoldKind, joined};
use crate::slices::Slice;
use crate::thread_events::{PhasedSum, ThreadEvents};

/// Puts the sums of each stream together, whatever their phase. Returns them apart besides, if
/// there are phases.
pub(crate) fn split_phases(threads: &mut [ThreadEvents]) -> Vec<PhasedSum> {
    let mut phased = Vec::new();
    for stream in threads {
        let raw = std::mem::take(&mut stream.folded);
        let sums = raw.into_iter().map(FoldEntry::without_phase);
        let sums: Vec<_> = sums.collect();
        if sums.iter().all(|(phase, _)| *phase == 0) {
            stream.folded = sums.into_iter().map(|(_, entry)| entry).collect();
            continue;
        }
        let thread = stream.number;
        let apart = sums.iter().map(|&(phase, entry)| PhasedSum { thread, phase, entry });
        phased.extend(apart);
        stream.folded = joined(sums.into_iter().map(|(_, entry)| entry));
    }
    phased
}

/// Gives each thread a stream of its own, since a thread may have continued the stream of one that
/// had ended, also in the sums of phases and slices. The sums of a thread's time belong to it if
/// the recording has `whole` sums, and all others to the last thread of the stream.
pub(crate) fn split_lives(
    threads: &mut Vec<ThreadEvents>,
    whole: bool,
    phased: &mut [PhasedSum],
    slices: &mut [Slice],
) {
    let begins = |record: &Record| record.event() == Some(EventKind::ThreadBegin);
    let mut number = threads.last().map_or(0, |thread| thread.number);
    let mut later = Vec::new();
    for thread in threads.iter_mut() {
        let mut starts: Vec<usize> = thread
            .records
            .iter()
            .enumerate()
            .skip(1)
            .filter_map(|(at, record)| begins(record).then_some(at))
            .collect();
        let mut lives = Vec::new();
        while let Some(start) = starts.pop() {
            let records = thread.records.split_off(start);
            lives.push(ThreadEvents { number: 0, records, folded: Vec::new() });
        }
        lives.reverse();
        let last = lives.len();
        let life_of = |entry: &FoldEntry| {
            let own = matches!(entry.fold_kind(), Some(FoldKind::Thread | FoldKind::Short));
            let life = if own && whole { entry.key[0] as usize } else { last };
            life.min(last).checked_sub(1)
        };
        if last > 0 {
            for entry in std::mem::take(&mut thread.folded) {
                match life_of(&entry) {
                    Some(life) => lives[life].folded.push(entry),
                    None => thread.folded.push(entry),
                }
            }
            let slices = slices.iter_mut().flat_map(|slice| &mut slice.sums);
            let sums = slices.map(|(stream, entry)| (stream, &*entry));
            let phased = phased.iter_mut().map(|sum| (&mut sum.thread, &sum.entry));
            let own = sums.chain(phased).filter(|(stream, _)| **stream == thread.number);
            for (stream, entry) in own {
                if let Some(life) = life_of(entry) {
                    *stream = number.saturating_add(life as u32 + 1);
                }
            }
        }
        for mut life in lives {
            number = number.saturating_add(1);
            life.number = number;
            later.push(life);
        }
    }
    threads.append(&mut later);
}
