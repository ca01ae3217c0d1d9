//! What the threads were in at a moment of a recording, by their events before: regions, waits, a
//! mutex that a thread asked for. So an excerpt that begins then says what was under way.

use std::collections::{HashMap, HashSet};
use std::iter;

use crate::event::{EventKind, Record};
use crate::thread_events::ThreadEvents;

/// OMPT's kinds of synchronization regions that are no barriers, and of barriers at the end of a
/// region, which have no position among its barriers.
const TASKWAIT: u8 = 5;
const TASKGROUP: u8 = 6;
const REDUCTION: u8 = 7;
const AT_REGION_END: [u8; 2] = [9, 10];
/// OMPT's status of a task that was left for another one.
const TASK_SWITCH: u8 = 7;

/// A region, by the events of its primary thread.
#[derive(Debug, Clone, Copy)]
struct Region {
    /// The stream of the primary thread.
    stream: u32,
    code: u64,
    begin: u64,
    end: Option<u64>,
}

/// The regions of a recording, and what is told of them.
#[derive(Debug)]
pub(crate) struct Regions {
    regions: HashMap<u64, Region>,
    told: HashSet<u64>,
}

/// What is known of a thread at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum At {
    /// What it was in, as events of that moment.
    Known(Vec<Record>),
    /// It was in a region of which not all is known, until the event of this kind for the region.
    InRegion(EventKind, u64),
    /// Its events were not recorded.
    Folded,
}

/// A region in which a thread is.
#[derive(Debug, Clone)]
struct Part {
    region: u64,
    /// The thread's number in the team, and the team's size.
    index: u64,
    size: u32,
    is_primary: bool,
    /// Whether the thread's implicit task has begun.
    is_inside: bool,
    barriers: u32,
    /// The waits that have begun.
    waits: Vec<Record>,
    /// Whether the thread executes an explicit task.
    in_task: bool,
}

impl Part {
    fn new(region: u64, is_primary: bool) -> Self {
        Self {
            region,
            index: 0,
            size: 0,
            is_primary,
            is_inside: false,
            barriers: 0,
            waits: Vec::new(),
            in_task: false,
        }
    }

    /// The event by which the thread leaves the region.
    fn end(&self) -> EventKind {
        if self.is_primary { EventKind::ParallelEnd } else { EventKind::ImplicitEnd }
    }

    /// The barriers behind the thread.
    fn passed(&self) -> u32 {
        let under_way = self.waits.iter().filter(|wait| is_numbered_barrier(wait)).count();
        self.barriers.wrapping_sub(under_way as u32)
    }
}

/// What a thread is in.
#[derive(Debug, Default)]
struct Standing {
    /// Whether its events are not recorded.
    is_folded: bool,
    parts: Vec<Part>,
    /// The mutex that it has asked for.
    asked: Option<Record>,
}

impl Regions {
    /// The regions that `threads` have begun.
    pub(crate) fn of<'a>(threads: &'a [ThreadEvents]) -> Self {
        let mut regions = HashMap::new();
        let of_stream = |thread: &'a ThreadEvents| iter::repeat(thread.number).zip(&thread.records);
        for (stream, event) in threads.iter().flat_map(of_stream) {
            match event.event() {
                Some(EventKind::ParallelBegin | EventKind::ParallelUnderWay) => {
                    let Record { code, tick: begin, .. } = *event;
                    let region = Region { stream, code, begin, end: None };
                    regions.insert(event.value, region);
                }
                Some(EventKind::ParallelEnd) => {
                    if let Some(region) = regions.get_mut(&event.value) {
                        region.end = Some(event.tick);
                    }
                }
                _ => {}
            }
        }
        Self { regions, told: HashSet::new() }
    }

    /// For regions that began before `begin` and ended later, how many ticks they took before, by
    /// the stream of the primary thread and the code address.
    pub(crate) fn before(&self, begin: u64) -> HashMap<(u32, u64), u64> {
        let mut before = HashMap::new();
        for region in self.regions.values() {
            if region.begin < begin && region.end.is_some_and(|end| end > begin) {
                *before.entry((region.stream, region.code)).or_insert(0) += begin - region.begin;
            }
        }
        before
    }

    /// What the thread with these events was in at `begin`.
    pub(crate) fn under_way(&mut self, events: &[Record], begin: u64) -> At {
        let mut standing = Standing::default();
        let earlier = events.iter().take_while(|event| event.tick < begin);
        earlier.for_each(|event| standing.see(event));
        if standing.is_folded {
            return At::Folded;
        }
        let goes_on = |part: &Part| {
            let region = self.regions.get(&part.region);
            region.is_some_and(|region| region.end.is_none_or(|end| end >= begin))
        };
        if !standing.parts.iter().all(|part| part.is_inside && goes_on(part)) {
            let outermost = &standing.parts[0];
            return At::InRegion(outermost.end(), outermost.region);
        }
        let at = |kind: EventKind| Record { tick: begin, kind: kind as u8, ..Record::default() };
        let mut told = Vec::new();
        for (depth, part) in standing.parts.iter().enumerate() {
            let code = self.regions.get(&part.region).map_or(0, |region| region.code);
            if self.told.insert(part.region) {
                let (value, aux, sub) = (part.region, part.size, u8::from(depth > 0));
                told.push(Record { value, code, aux, sub, ..at(EventKind::ParallelUnderWay) });
            }
            told.push(Record {
                value: part.region,
                code: part.index,
                aux: part.passed(),
                sub: u8::from(part.is_primary),
                ..at(EventKind::ImplicitUnderWay)
            });
            told.extend(part.waits.iter().map(|wait| Record { tick: begin, ..*wait }));
            if part.in_task && !part.waits.is_empty() {
                told.push(Record { sub: TASK_SWITCH, aux: 1, ..at(EventKind::TaskSwitch) });
            }
        }
        told.extend(standing.asked.map(|asked| Record { tick: begin, ..asked }));
        At::Known(told)
    }
}

impl Standing {
    fn see(&mut self, event: &Record) {
        match event.event() {
            Some(EventKind::ThreadBegin) => *self = Self::default(),
            Some(EventKind::FoldBegin) => *self = Self { is_folded: true, ..Self::default() },
            Some(EventKind::FoldEnd) => {
                *self = Self::default();
                if event.value != 0 {
                    let mut part = Part::new(event.value, event.sub == 1);
                    (part.is_inside, part.barriers) = (true, event.aux);
                    self.parts.push(part);
                }
            }
            Some(EventKind::ParallelBegin) => self.parts.push(Part::new(event.value, true)),
            Some(EventKind::ImplicitBegin) => {
                let is_own = |part: &&mut Part| {
                    part.region == event.value && part.is_primary && !part.is_inside
                };
                if self.parts.last_mut().filter(is_own).is_none() {
                    self.parts.push(Part::new(event.value, false));
                }
                if let Some(part) = self.parts.last_mut() {
                    (part.is_inside, part.index, part.size) = (true, event.code, event.aux);
                }
            }
            Some(EventKind::ImplicitUnderWay) => {
                let mut part = Part::new(event.value, event.sub == 1);
                (part.is_inside, part.index, part.barriers) = (true, event.code, event.aux);
                self.parts.push(part);
            }
            Some(EventKind::ImplicitEnd | EventKind::ParallelEnd) => self.leave(event),
            Some(EventKind::WaitBegin) => {
                if let Some(part) = self.parts.last_mut() {
                    part.barriers += u32::from(is_numbered_barrier(event));
                    part.waits.push(*event);
                }
            }
            Some(EventKind::WaitEnd) => {
                if let Some(part) = self.parts.last_mut() {
                    let same = |wait: &Record| wait.sub == event.sub;
                    let position = part.waits.iter().rposition(same);
                    part.waits.truncate(position.unwrap_or(part.waits.len()));
                }
            }
            Some(EventKind::TaskSwitch) => {
                if let Some(part) = self.parts.last_mut() {
                    part.in_task = event.aux == 1;
                }
            }
            Some(EventKind::MutexAcquire) => self.asked = Some(*event),
            Some(EventKind::MutexAcquired) => self.asked = None,
            _ => {}
        }
    }

    /// The thread's implicit task ends, or the region that it has begun.
    fn leave(&mut self, event: &Record) {
        let is_task = event.event() == Some(EventKind::ImplicitEnd);
        let found = self.parts.iter().rposition(|part| part.region == event.value);
        let Some(position) = found else { return };
        self.parts.truncate(position + 1);
        if is_task && self.parts[position].is_primary {
            // The region's end follows.
            self.parts[position].is_inside = false;
        } else {
            self.parts.pop();
        }
    }
}

/// Whether the wait is at a barrier that has a position among those of its region.
fn is_numbered_barrier(wait: &Record) -> bool {
    !matches!(wait.sub, TASKWAIT | TASKGROUP | REDUCTION) && !AT_REGION_END.contains(&wait.sub)
}

#[cfg(test)]
mod tests {
    use super::{At, Regions};
    use crate::event::EventKind::{
        FoldBegin, ImplicitBegin, ImplicitEnd, ImplicitUnderWay, MutexAcquire, ParallelBegin,
        ParallelEnd, ParallelUnderWay, ThreadBegin, WaitBegin, WaitEnd,
    };
    use crate::event::{EventKind, Record};
    use crate::thread_events::ThreadEvents;

    fn at(tick: u64, kind: EventKind, value: u64) -> Record {
        Record { tick, value, kind: kind as u8, ..Record::default() }
    }

    fn wait(tick: u64, kind: EventKind, sub: u8) -> Record {
        Record { sub, ..at(tick, kind, 0) }
    }

    /// The primary thread and a worker of region 7, at 0x50, in a team of two.
    fn threads() -> [Vec<Record>; 2] {
        let member = |tick, index| Record { code: index, aux: 2, ..at(tick, ImplicitBegin, 7) };
        let primary = vec![
            at(1, ThreadBegin, 0),
            at(2, ParallelBegin, 3),
            at(3, ParallelEnd, 3),
            Record { code: 0x50, ..at(10, ParallelBegin, 7) },
            member(11, 0),
            wait(20, WaitBegin, 3),
            wait(21, WaitEnd, 3),
            at(40, MutexAcquire, 9),
            at(90, ParallelEnd, 7),
        ];
        let worker = vec![
            at(5, ThreadBegin, 0),
            member(12, 1),
            wait(15, WaitBegin, 3),
            wait(21, WaitEnd, 3),
            wait(30, WaitBegin, 9),
            at(95, ImplicitEnd, 7),
        ];
        [primary, worker]
    }

    type Told = (EventKind, u64, u64, u32, u8);

    fn told(begin: u64) -> Vec<Result<Vec<Told>, At>> {
        let threads =
            threads().map(|records| ThreadEvents { number: 0, records, folded: Vec::new() });
        let mut regions = Regions::of(&threads);
        let told = threads.iter().map(|thread| {
            let events = match regions.under_way(&thread.records, begin) {
                At::Known(events) => events,
                other => return Err(other),
            };
            assert!(events.iter().all(|event| event.tick == begin));
            let parts =
                |it: &Record| (it.event().expect("known"), it.value, it.code, it.aux, it.sub);
            Ok(events.iter().map(parts).collect())
        });
        told.collect()
    }

    #[test]
    fn regions_and_waits_are_told_where_they_are_under_way() {
        let region = (ParallelUnderWay, 7, 0x50, 2, 0);
        let parts = [(ImplicitUnderWay, 7, 0, 0, 1), (ImplicitUnderWay, 7, 1, 0, 0)];
        let barrier = (WaitBegin, 0, 0, 0, 3);
        let all = [Ok(vec![region, parts[0]]), Ok(vec![parts[1], barrier])];
        assert_eq!(told(17), all, "one waits at the barrier");
        let passed = [(ImplicitUnderWay, 7, 0, 1, 1), (ImplicitUnderWay, 7, 1, 1, 0)];
        let (end, asked) = ((WaitBegin, 0, 0, 0, 9), (MutexAcquire, 9, 0, 0, 0));
        let all = [Ok(vec![region, passed[0], asked]), Ok(vec![passed[1], end])];
        assert_eq!(told(50), all, "one asks for a mutex, one waits at the end");
        assert_eq!(told(4), [Ok(vec![]), Ok(vec![])], "outside");
        let [primary, worker] = threads();
        let late = [Ok(vec![(MutexAcquire, 9, 0, 0, 0)]), Err(At::InRegion(ImplicitEnd, 7))];
        assert_eq!(told(93), late, "the worker stays at the end of a region that is over");
        let mut regions = Regions::of(&[]);
        let folded = [&primary[..1], &[at(2, FoldBegin, 0)]].concat();
        assert_eq!(regions.under_way(&folded, 50), At::Folded);
        let unknown = At::InRegion(ImplicitEnd, 7);
        assert_eq!(regions.under_way(&worker, 50), unknown, "of an unknown region");
        let fork = At::InRegion(ParallelEnd, 7);
        assert_eq!(told(11)[0], Err(fork), "between the region's begin and the thread's");
    }

    #[test]
    fn the_time_of_regions_before_the_begin_is_known() {
        let [records, _] = threads();
        let regions = Regions::of(&[ThreadEvents { number: 0, records, folded: Vec::new() }]);
        assert_eq!(regions.before(50).into_iter().collect::<Vec<_>>(), [((0, 0x50), 40)]);
        assert!(regions.before(5).is_empty() && regions.before(91).is_empty());
    }
}
