//! Stretches in which a thread's events were not recorded, and the windows between them.

use oxomp_trace::Record;

use super::machine::{Frame, Machine, add};
use crate::model::{Gap, Member, Next};
use crate::sums::{CLASSES, raise};

impl Machine<'_> {
    /// The thread continues with folded sums.
    pub(super) fn fold_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        if self.folding {
            self.model.tallies.anomaly("folding began twice");
            return;
        }
        let begin = self.clock.ns(record.value).min(time);
        self.lead_to(Next::At(begin));
        if self.region_frame().is_none() {
            self.end_serial(time, Some(record.code).filter(|&code| code != 0));
        }
        self.close_arrived();
        // No other event tells of a wait that ends now.
        if let Some(Frame::Barrier { wait: Some(wait) }) = self.stack.last() {
            self.model.barrier_waits[*wait as usize].left = true;
        }
        for frame in &self.stack {
            if let Frame::Region { region, .. } = frame {
                let cut = &mut self.model.regions[*region as usize].cut;
                *cut = (*cut).max(Some(time));
            }
        }
        self.thread.folded_from.get_or_insert(time);
        self.cut_tasks();
        self.folding = true;
        self.gap = Gap { begin: time, ..Gap::default() };
    }

    /// Takes the region of a worker off the stack if the worker waits at its end.
    pub(super) fn close_arrived(&mut self) {
        if let [Frame::Region { member, primary: false, arrived: true, .. }] = self.stack[..] {
            self.stack.pop();
            self.last = member;
        }
    }

    /// A class of the time since the thread's events ended.
    pub(super) fn time_sum(&mut self, record: &Record) {
        let class = CLASSES.iter().find(|(position, _)| *position == usize::from(record.sub));
        match class.filter(|_| self.folding) {
            Some((_, class)) => {
                raise(&mut self.gap.by_class[*class as usize], self.clock.span(record.value));
            }
            None => self.model.tallies.anomaly("a sum of time where none belongs"),
        }
    }

    /// The thread's events are recorded again. What it did before is over, except the region that
    /// the event names, and constructs for devices, whose ends are recorded in any case.
    pub(super) fn fold_end(&mut self, time: u64, record: &Record) {
        self.advance(time);
        if !self.folding {
            self.model.tallies.anomaly("the end of folding that had not begun");
            return;
        }
        self.folding = false;
        let gap = std::mem::take(&mut self.gap);
        self.thread.gaps.push(Gap { end: time, ..gap });
        let goes_on = self.known.regions.get(&record.value).copied();
        for frame in &self.stack {
            if let Frame::Region { region, primary: true, .. } = frame
                && Some(*region) != goes_on
            {
                self.model.regions[*region as usize].is_over = true;
            }
        }
        self.stack.clear();
        self.held.clear();
        self.works.clear();
        (self.last, self.part) = (None, None);
        self.serial = (time, None);
        if record.value != 0 {
            self.enter_part(time, record);
        }
    }

    /// The thread is in a region that has begun before the window.
    fn enter_part(&mut self, time: u64, record: &Record) {
        let regions = &mut self.model.regions;
        let part = self.known.parts.entry((record.value, record.window));
        let region = *part.or_insert_with(|| add(regions, Default::default()));
        self.part = Some((record.value, region));
        let facts = &mut self.model.regions[region as usize];
        facts.code = record.code;
        facts.is_part = true;
        self.go_on_in(region, time, record);
    }

    /// The thread goes on in a region of which its events do not have the begin, as the record
    /// tells: `sub` is 1 if the thread has begun the region, `aux` barriers are behind it.
    pub(super) fn go_on_in(&mut self, region: u32, time: u64, record: &Record) {
        let member = add(
            &mut self.model.members,
            Member { region, begin: time, arrival: None, release: None, nested: 0 },
        );
        let primary = record.sub == 1;
        let facts = &mut self.model.regions[region as usize];
        facts.members.push(member);
        if primary {
            facts.primary = Some(member);
        }
        self.stack.push(Frame::Region {
            region,
            member: Some(member),
            primary,
            arrived: false,
            barriers: record.aux,
        });
    }
}

#[cfg(test)]
mod tests {
    use oxomp_trace::{Clock, EventKind, Record, ThreadEvents};

    use crate::model::Model;
    use crate::normalise::normalise;
    use crate::summary::Class;

    const EXPLICIT: u8 = 3;

    fn event(tick: u64, kind: EventKind, value: u64) -> Record {
        Record { tick, kind: kind as u8, value, ..Record::default() }
    }

    fn model_of(streams: Vec<Vec<Record>>) -> Model {
        let threads = (0..).zip(streams);
        let threads: Vec<ThreadEvents> = threads
            .map(|(number, records)| ThreadEvents { number, records, folded: Vec::new() })
            .collect();
        normalise(&threads, &Clock::new((0, 0), 1_000_000_000, &[]), Some(100), None)
    }

    #[test]
    fn a_region_that_goes_on_has_a_part_in_each_window() {
        let stream = |initial: bool, late: u64| {
            let thread = Record { sub: if initial { 1 } else { 2 }, ..Record::default() };
            let mut records =
                vec![Record { kind: EventKind::ThreadBegin as u8, value: 7, ..thread }];
            if initial {
                records.push(event(10, EventKind::ParallelBegin, 1));
            }
            let idle = Record { sub: 2, ..event(50, EventKind::TimeSum, 30 - late) };
            let part = Record { aux: 5, code: 9, window: 3, ..event(50, EventKind::FoldEnd, 1) };
            let barrier = |kind, tick| Record { sub: EXPLICIT, ..event(tick, kind, 0) };
            records.extend([
                event(11, EventKind::ImplicitBegin, 1),
                event(20 + late, EventKind::FoldBegin, 20 + late),
                idle,
                Record { sub: initial.into(), ..part },
                barrier(EventKind::WaitBegin, 60 + late),
                barrier(EventKind::WaitEnd, 65),
            ]);
            if initial {
                records.push(event(80, EventKind::ParallelEnd, 1));
            }
            records
        };
        let model = model_of(vec![stream(true, 0), stream(false, 2)]);
        assert!(model.tallies.anomalies.is_empty(), "{:?}", model.tallies);
        let [first, part] = &model.regions[..] else { panic!("{:?}", model.regions) };
        assert_eq!((first.begin, first.cut, first.end), (Some(10), Some(22), None));
        assert_eq!((part.begin, part.end, part.code), (None, Some(80), 9));
        assert_eq!([first.members.len(), part.members.len()], [2; 2], "each of both threads");
        assert_eq!(part.last_arrivals.iter().collect::<Vec<_>>(), [(&5, &62)]);
        for (thread, from) in model.threads.iter().zip([20, 22]) {
            assert_eq!(thread.folded_from, Some(from));
            let ends: Vec<u64> = thread.segments.iter().map(|segment| segment.end).collect();
            let begins: Vec<u64> = thread.segments.iter().map(|segment| segment.begin).collect();
            assert!(ends.contains(&from) && begins.contains(&50), "{:?}", thread.segments);
            assert!(!thread.segments.iter().any(|one| one.begin >= from && one.begin < 50));
            let [gap] = &thread.gaps[..] else { panic!("{:?}", thread.gaps) };
            assert_eq!((gap.begin, gap.end), (from, 50));
            assert_eq!(gap.by_class[Class::Imbalance as usize], 50 - from);
        }
    }

    #[test]
    fn what_a_window_does_not_show_the_begin_of_is_no_deviation() {
        let released = Record { sub: 1, ..event(60, EventKind::MutexReleased, 4) };
        let model = model_of(vec![vec![
            Record { sub: 1, ..event(0, EventKind::ThreadBegin, 7) },
            event(20, EventKind::FoldBegin, 20),
            event(50, EventKind::FoldEnd, 0),
            released,
        ]]);
        assert!(model.tallies.anomalies.is_empty(), "{:?}", model.tallies);
        let serial: Vec<_> = model.serial.iter().map(|one| (one.begin, one.end)).collect();
        assert_eq!(serial, [(0, 20), (50, 100)]);
        let model = model_of(vec![vec![released]]);
        assert_eq!(model.tallies.anomalies["mutex released that was not held"], 1);
    }
}
