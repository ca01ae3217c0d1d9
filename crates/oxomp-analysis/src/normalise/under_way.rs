//! Regions that were under way when the recording began, and the parts of their threads.

use oxomp_trace::Record;

use super::machine::{Frame, Machine};
use crate::model::Next;

impl Machine<'_> {
    /// Some thread of a region that was under way tells of it.
    pub(super) fn parallel_under_way(&mut self, time: u64, record: &Record) {
        self.advance(time);
        let region = self.region(record.value);
        let facts = &mut self.model.regions[region as usize];
        facts.begin = Some(time);
        facts.code = record.code;
        facts.size = facts.size.max(record.aux);
        facts.nested = record.sub == 1;
        facts.under_way = true;
    }

    /// The thread was in such a region.
    pub(super) fn implicit_under_way(&mut self, time: u64, record: &Record) {
        self.advance(time);
        self.was_in_region = true;
        let region = self.region(record.value);
        self.lead_to(Next::Region(region));
        let outer = self.region_frame().and_then(|position| match self.stack[position] {
            Frame::Region { region, .. } => Some(region),
            _ => None,
        });
        let facts = &mut self.model.regions[region as usize];
        if record.sub == 1 {
            facts.outer = outer;
        }
        if outer.is_none() {
            let before = facts.code;
            self.end_serial(time, Some(before));
        }
        self.go_on_in(region, time, record);
    }
}

#[cfg(test)]
mod tests {
    use oxomp_trace::{Clock, EventKind, Record, ThreadEvents};

    use crate::model::Model;
    use crate::normalise::normalise;

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

    /// The worker tells of the region, and waits at a barrier that the primary thread reaches
    /// later. The mutex was acquired, and the worksharing construct begun, before the recording.
    #[test]
    fn a_region_that_was_under_way_begins_with_the_recording() {
        let barrier = |kind, tick| Record { sub: EXPLICIT, ..event(tick, kind, 0) };
        let part = |sub| Record {
            aux: 7,
            code: u64::from(sub == 0),
            sub,
            ..event(0, EventKind::ImplicitUnderWay, 1)
        };
        let worker = vec![
            Record { sub: 2, ..event(0, EventKind::ThreadBegin, 8) },
            Record { aux: 2, code: 9, ..event(0, EventKind::ParallelUnderWay, 1) },
            part(0),
            barrier(EventKind::WaitBegin, 0),
            barrier(EventKind::WaitEnd, 41),
        ];
        let primary = vec![
            Record { sub: 1, ..event(0, EventKind::ThreadBegin, 7) },
            part(1),
            event(20, EventKind::MutexReleased, 4),
            Record { sub: 1, ..event(30, EventKind::WorkEnd, u64::MAX) },
            barrier(EventKind::WaitBegin, 40),
            barrier(EventKind::WaitEnd, 42),
            event(80, EventKind::ParallelEnd, 1),
        ];
        let model = model_of(vec![primary, worker]);
        assert!(model.tallies.anomalies.is_empty(), "{:?}", model.tallies);
        let [region] = &model.regions[..] else { panic!("{:?}", model.regions) };
        assert!(region.under_way && !region.nested && region.primary.is_some());
        assert_eq!((region.begin, region.end), (Some(0), Some(80)));
        assert_eq!((region.code, region.size, region.members.len()), (9, 2, 2));
        assert_eq!(region.last_arrivals.iter().collect::<Vec<_>>(), [(&7, &40)]);
        let serial: Vec<_> = model.serial.iter().map(|one| (one.begin, one.end)).collect();
        assert_eq!(serial, [(80, 100)], "none before the region");
    }

    #[test]
    fn ends_without_begins_are_deviations_where_nothing_was_under_way() {
        let model = model_of(vec![vec![
            Record { sub: 1, ..event(0, EventKind::ThreadBegin, 7) },
            Record { sub: 1, ..event(30, EventKind::WorkEnd, u64::MAX) },
        ]]);
        assert_eq!(model.tallies.anomalies["end of worksharing that had not begun"], 1);
    }
}
