//! The events of a thread in a recording of the last seconds.
//!
//! The collector gives the oldest chunks of events back, so the first event that is left may be in
//! the middle of anything. Every now and then a thread stops recording events and begins again at
//! once, where it is in no region or behind a barrier (`FoldBegin`, `FoldEnd`): there its events
//! can be read from. The begins and ends of threads and pauses are in chunks of their own, which
//! stay.

use crate::event::{EventKind, Record};
use crate::thread_events::placed;

/// The events of a stream: `lives`, its begins and ends of threads and pauses, and of `events` what
/// can be read. If there is a moment `begin`, nothing is before it.
pub(crate) fn stitched(lives: &[Record], events: &[Record], begin: Option<u64>) -> Vec<Record> {
    let begin = begin.unwrap_or(0);
    joined(lives, readable(events, begin), begin)
}

/// The same from `begin` on for a thread whose events were recorded then: `standing` is what it was
/// in, as events of that moment.
pub(crate) fn continued(
    lives: &[Record],
    events: &[Record],
    begin: u64,
    standing: Vec<Record>,
) -> Vec<Record> {
    let is_begin = |life: &Record| life.event() == Some(EventKind::ThreadBegin);
    let earlier = lives.iter().take_while(|life| life.tick < begin).count();
    // The thread that lives at the moment is the last one that has begun.
    let Some(last) = lives[..earlier].iter().rposition(is_begin) else {
        return joined(lives, events, begin);
    };
    let mut whole = joined(&lives[..last], &[], begin);
    whole.push(Record { tick: begin, ..lives[last] });
    // A pause goes on.
    let pauses = lives[last + 1..earlier].iter().map(|life| Record { tick: begin, ..*life });
    whole.extend(standing.into_iter().chain(pauses));
    let from = events.iter().take_while(|event| event.tick < begin).count();
    whole.extend(joined(&lives[earlier..], &events[from..], begin));
    whole
}

/// Lives and events by their times, none of which is before `begin`. A thread that begins before
/// the first event begins without events.
fn joined(lives: &[Record], events: &[Record], begin: u64) -> Vec<Record> {
    let first = events.first().map_or(u64::MAX, |event| event.tick);
    let mut rest = events;
    let mut whole = Vec::with_capacity(lives.len() + events.len());
    for life in lives {
        let is_begin = life.event() == Some(EventKind::ThreadBegin);
        // At the same moment, a thread begins before its events and ends after them.
        let before =
            |event: &Record| event.tick < life.tick || !is_begin && event.tick == life.tick;
        let count = rest.iter().take_while(|event| before(event)).count();
        let (earlier, later) = rest.split_at(count);
        whole.extend(earlier);
        rest = later;
        if is_begin && life.tick <= first {
            whole.extend(placed(&[*life], |tick| tick.max(begin)));
        } else {
            whole.push(Record { tick: life.tick.max(begin), ..*life });
        }
    }
    whole.extend(rest);
    whole
}

/// The events from the first place at which reading can begin at `begin` or later.
fn readable(events: &[Record], begin: u64) -> &[Record] {
    let is = |record: &Record, kind| record.event() == Some(kind);
    let starts = |record: &Record| is(record, EventKind::FoldEnd) && record.tick >= begin;
    let Some(start) = events.iter().position(starts) else { return &[] };
    // The sums of the time without events, if all of that is there.
    let sums = events[..start].iter().rev().take_while(|record| is(record, EventKind::TimeSum));
    let from = start - sums.count();
    let gap = from.checked_sub(1).and_then(|before| events.get(before));
    let is_whole = gap.is_some_and(|gap| is(gap, EventKind::FoldBegin) && gap.value >= begin);
    if is_whole { &events[from..] } else { &events[start..] }
}

#[cfg(test)]
mod tests {
    use super::{continued, stitched};
    use crate::event::EventKind::{
        FoldBegin, FoldEnd, ParallelBegin, ParallelEnd, ParallelUnderWay, Pause, Resume,
        ThreadBegin, ThreadEnd, TimeSum,
    };
    use crate::event::{EventKind, Record};

    fn at(tick: u64, kind: EventKind) -> Record {
        let value = if kind == FoldBegin { tick } else { 0 };
        Record { tick, value, kind: kind as u8, ..Record::default() }
    }

    fn told(records: &[Record]) -> Vec<(u64, EventKind)> {
        records.iter().map(|record| (record.tick, record.event().expect("a kind"))).collect()
    }

    #[test]
    fn events_begin_at_the_first_place_where_they_can_be_read() {
        let lives = [at(1, ThreadBegin), at(50, Pause), at(60, Resume)];
        let events = [
            at(40, ParallelBegin),
            at(45, FoldBegin),
            at(45, FoldEnd),
            at(45, ParallelBegin),
            at(70, FoldBegin),
        ];
        let whole = stitched(&lives, &events, None);
        let wanted = [
            (1, ThreadBegin),
            (1, FoldBegin),
            (45, FoldEnd),
            (45, ParallelBegin),
            (50, Pause),
            (60, Resume),
            (70, FoldBegin),
        ];
        assert_eq!(told(&whole), wanted);
        let whole = stitched(&lives, &events, Some(55));
        let wanted = [(55, ThreadBegin), (55, FoldBegin), (55, Pause), (60, Resume)];
        assert_eq!(told(&whole), wanted, "no place is left");
    }

    #[test]
    fn a_thread_goes_on_with_what_it_was_in() {
        let lives = [
            at(1, ThreadBegin),
            at(9, ThreadEnd),
            at(10, ThreadBegin),
            at(12, Pause),
            at(14, Resume),
            at(90, ThreadEnd),
        ];
        let events = [at(20, ParallelBegin), at(60, ParallelEnd), at(80, FoldBegin)];
        let whole = continued(&lives, &events, 50, vec![at(50, ParallelUnderWay)]);
        let wanted = [
            (50, ThreadBegin),
            (50, FoldBegin),
            (50, ThreadEnd),
            (50, ThreadBegin),
            (50, ParallelUnderWay),
            (50, Pause),
            (50, Resume),
            (60, ParallelEnd),
            (80, FoldBegin),
            (90, ThreadEnd),
        ];
        assert_eq!(told(&whole), wanted);
    }

    #[test]
    fn sums_of_a_time_without_events_stay_if_all_of_it_is_there() {
        let lives = [at(1, ThreadBegin)];
        let events = [at(10, FoldBegin), at(30, TimeSum), at(30, FoldEnd), at(31, ParallelBegin)];
        let sums = |begin| {
            let whole = stitched(&lives, &events, Some(begin));
            told(&whole).into_iter().filter(|(_, kind)| *kind == TimeSum).count()
        };
        assert_eq!((sums(5), sums(20)), (1, 0));
    }

    #[test]
    fn threads_that_follow_each_other_keep_their_own_events() {
        let lives = [
            at(1, ThreadBegin),
            at(20, ThreadEnd),
            at(20, ThreadBegin),
            at(30, ThreadEnd),
            at(40, ThreadBegin),
        ];
        let events =
            [at(25, FoldEnd), at(25, ParallelBegin), at(30, FoldBegin), at(40, ParallelBegin)];
        let wanted = [
            (1, ThreadBegin),
            (1, FoldBegin),
            (20, ThreadEnd),
            (20, ThreadBegin),
            (20, FoldBegin),
            (25, FoldEnd),
            (25, ParallelBegin),
            (30, FoldBegin),
            (30, ThreadEnd),
            (40, ThreadBegin),
            (40, ParallelBegin),
        ];
        assert_eq!(told(&stitched(&lives, &events, None)), wanted);
    }
}
