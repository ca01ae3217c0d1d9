//! What a process did between two looks at its recording.

use std::collections::{BTreeMap, HashMap};

use crate::event::{EventKind, Record};
use crate::fold::{CLASSES, FoldEntry, difference, is_time, is_unchanged, take_away};
use crate::follow::Look;
use crate::layout::FileHeader;
use crate::read::Profile;
use crate::thread_events::{ThreadEvents, placed};

impl Look {
    /// The recording from its begin to this look.
    #[must_use]
    pub fn so_far(&self) -> Profile {
        let mut profile = self.profile.clone();
        let begin = profile.header.start_tick;
        for stream in &mut profile.threads {
            stream.records = placed(&stream.records, |tick| tick.clamp(begin, self.tick));
        }
        self.ended(profile)
    }

    /// The recording from the look `earlier` to this one, as if it had begun and ended with these:
    /// the same file is read. Longest and shortest times are those of the whole recording.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Profile {
        let mut profile = self.profile.clone();
        let (begin, end) = (earlier.tick, self.tick);
        for stream in &mut profile.threads {
            stream.folded = earlier.grown(stream);
            stream.records = placed(&stream.records, |tick| tick.clamp(begin, end));
        }
        profile.header = earlier.header_from();
        profile.info.age_ns = 0;
        let mut profile = self.ended(profile);
        profile.threads.retain(|thread| lived(thread, begin));
        profile
    }

    /// What has been added after this look to the sums of a stream, which are now these.
    fn grown(&self, stream: &ThreadEvents) -> Vec<FoldEntry> {
        let before = self.profile.threads.iter().find(|one| one.number == stream.number);
        let before = before.map_or(&[][..], |one| &one.folded);
        let begin = Begin { tick: self.tick, before, known: before };
        begin.grown(&stream.folded, &stream.records)
    }

    /// The header of a recording that begins with this look.
    pub(crate) fn header_from(&self) -> FileHeader {
        let header = self.profile.header;
        let clock = self.profile.clock();
        let passed = clock.ns(self.tick).saturating_sub(clock.ns(header.start_tick));
        FileHeader {
            start_tick: self.tick,
            start_monotonic_ns: header.start_monotonic_ns.saturating_add(passed),
            start_unix_ns: header.start_unix_ns.saturating_add(passed),
            ..header
        }
    }

    /// The sums of each stream from the look `earlier` to this one, or from the begin of the
    /// recording on, as a file has them: each in its phase.
    pub(crate) fn sums_since(&self, earlier: Option<&Self>) -> Vec<(u32, Vec<FoldEntry>)> {
        let begin = earlier.map_or(0, |earlier| earlier.tick);
        let streams = self.profile.threads.iter().map(|stream| {
            let known = earlier.map_or(Vec::new(), |earlier| earlier.sums_of(stream.number));
            let is_of = |phase: u16| move |known: &&(u16, Vec<FoldEntry>)| known.0 == phase;
            let all: Vec<FoldEntry> = known.iter().flat_map(|(_, sums)| sums).copied().collect();
            let phases = self.sums_of(stream.number).into_iter().flat_map(|(phase, sums)| {
                let before = known.iter().find(is_of(phase)).map_or(&[][..], |(_, sums)| sums);
                let begin = Begin { tick: begin, before, known: &all };
                let grown = begin.grown(&sums, &stream.records);
                grown.into_iter().map(move |entry| entry.with_phase(phase))
            });
            (stream.number, phases.collect())
        });
        streams.collect()
    }

    /// The sums of a stream, apart by phases.
    fn sums_of(&self, stream: u32) -> Vec<(u16, Vec<FoldEntry>)> {
        let mut phases = BTreeMap::<u16, Vec<FoldEntry>>::new();
        if self.profile.phased.is_empty() {
            let own = self.profile.threads.iter().find(|one| one.number == stream);
            phases.insert(0, own.map_or(Vec::new(), |own| own.folded.clone()));
        }
        for sum in self.profile.phased.iter().filter(|sum| sum.thread == stream) {
            phases.entry(sum.phase).or_default().push(sum.entry);
        }
        phases.into_iter().collect()
    }

    /// The recording as one that ends with this look.
    fn ended(&self, mut profile: Profile) -> Profile {
        profile.info.end_tick = Some(self.tick);
        // Their sums are those of the whole run.
        (profile.phases, profile.phased) = (None, Vec::new());
        // Threads may be in the middle of anything.
        profile.info.attached = true;
        profile.derive();
        profile
    }
}

/// The begin of an interval, for one stream.
struct Begin<'a> {
    tick: u64,
    /// The sums at that moment.
    before: &'a [FoldEntry],
    /// Those of all phases.
    known: &'a [FoldEntry],
}

impl Begin<'_> {
    /// What has been added since to the sums of the stream, which has these events. A thread's time
    /// stays, whether it has grown or not.
    fn grown(&self, after: &[FoldEntry], events: &[Record]) -> Vec<FoldEntry> {
        let before: HashMap<_, _> =
            self.before.iter().map(|entry| (entry.identity(), entry)).collect();
        let is_new = |time: &FoldEntry| {
            !self.known.iter().any(|known| is_time(known) && known.key[0] == time.key[0])
        };
        let entries = after.iter().map(|entry| match before.get(&entry.identity()) {
            Some(earlier) if is_time(entry) => time(earlier, entry),
            Some(earlier) => difference(earlier, entry),
            None if is_time(entry) && is_new(entry) => first_time(events, entry, self.tick),
            None => *entry,
        });
        entries.filter(|entry| is_time(entry) || !is_unchanged(entry)).collect()
    }
}

/// The part since `begin` of the time of a thread that no earlier look has. A thread tells nothing
/// before its first event, which may come long after its begin if it was in a region under way.
fn first_time(events: &[Record], entry: &FoldEntry, begin: u64) -> FoldEntry {
    let is_begin = |record: &&Record| record.event() == Some(EventKind::ThreadBegin);
    let own = events.iter().filter(is_begin).nth(entry.key[0] as usize);
    let mut part = *entry;
    take_away(&mut part, own.map_or(0, |own| begin.saturating_sub(own.tick)));
    part
}

/// What has been added to a thread's time. A look takes a wait that has not ended for one of its
/// class; when it ends, a part may be of another. Then the one class has less than before, and what
/// it lacks is taken from the classes that have more.
fn time(earlier: &FoldEntry, later: &FoldEntry) -> FoldEntry {
    let mut grown = difference(earlier, later);
    let lacks = CLASSES.map(|class| earlier.values[class].saturating_sub(later.values[class]));
    take_away(&mut grown, lacks.iter().fold(0, |sum, lack| sum.saturating_add(*lack)));
    grown
}

/// Whether the thread lived after `begin`.
fn lived(thread: &ThreadEvents, begin: u64) -> bool {
    let last = thread.records.last();
    let has_ended =
        last.is_some_and(|last| last.event() == Some(EventKind::ThreadEnd) && last.tick <= begin);
    !has_ended || !thread.folded.iter().all(is_unchanged)
}

#[cfg(test)]
mod tests {
    use super::{Begin, lived, time};
    use crate::event::{EventKind, Record};
    use crate::fold::{FoldEntry, FoldKind, thread};
    use crate::thread_events::{ThreadEvents, placed};

    fn event(kind: EventKind, tick: u64) -> Record {
        Record { kind: kind as u8, tick, ..Record::default() }
    }

    #[test]
    fn what_was_before_the_interval_begins_with_it() {
        let (begin, end) = (EventKind::ThreadBegin, EventKind::ThreadEnd);
        let records = [event(begin, 3), event(end, 5), event(begin, 7), event(EventKind::Pause, 9)];
        let events = placed(&records, |tick| tick.clamp(10, 20));
        let folds = |tick| Record { value: tick, ..event(EventKind::FoldBegin, tick) };
        assert_eq!(
            events,
            [
                event(begin, 10),
                folds(10),
                event(end, 10),
                event(begin, 10),
                folds(10),
                event(EventKind::Pause, 10),
            ]
        );
        let thread = |records: &[Record]| ThreadEvents {
            number: 0,
            records: records.to_vec(),
            folded: Vec::new(),
        };
        assert!(!lived(&thread(&events[..3]), 10));
        assert!(lived(&thread(&events[3..]), 10));
    }

    #[test]
    fn a_thread_that_is_seen_late_has_no_time_from_before() {
        let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
        (entry.values[thread::USEFUL], entry.values[thread::IMBALANCE]) = (80, 10);
        let records = [event(EventKind::ThreadBegin, 10)];
        let sums = |tick| {
            let begin = Begin { tick, before: &[], known: &[] };
            begin.grown(&[entry], &records)[0].values
        };
        assert_eq!((sums(70)[thread::USEFUL], sums(70)[thread::IMBALANCE]), (20, 10));
        assert_eq!(sums(5), entry.values);
        assert_eq!(sums(200).iter().sum::<u64>(), 0);
    }

    #[test]
    fn a_wait_that_turns_out_to_be_of_another_class_counts_once() {
        let entry = |values: &[(usize, u64)]| {
            let mut entry = FoldEntry { kind: FoldKind::Thread as u32, ..FoldEntry::default() };
            values.iter().for_each(|&(class, value)| entry.values[class] = value);
            entry
        };
        let earlier = entry(&[(thread::IMBALANCE, 50), (thread::USEFUL, 10)]);
        let later = entry(&[(thread::IMBALANCE, 40), (thread::BARRIER, 30), (thread::USEFUL, 20)]);
        let grown = time(&earlier, &later);
        assert_eq!(grown.values.iter().sum::<u64>(), 30);
        assert_eq!(grown.values[thread::BARRIER], 20);
    }
}
