//! What recording takes: how many events there are of each class, and how long the collector
//! handles one.
//!
//! Each thread counts its events, and for its first ones of a class, and then for one in [`EACH`],
//! also reads the clock at its end. Counts and times are added to sums of the process, which are
//! written at the recording's end.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use oxomp_trace::info::{EventClass, EventCost};

use crate::clock;

/// The number of events of a class that a thread times before it times one in [`EACH`]: the first
/// ones take longest, since the system provides the memory that they write and the code that they
/// execute, and a short run has no others.
const FIRST: u32 = 60;
/// One in this number of later events of a class is timed: a prime number, so that begins are timed
/// as often as ends.
const EACH: u32 = 61;
/// A time longer than this, in ns, does not count: the thread was interrupted.
const LONGEST_NS: u64 = 100_000;
/// How often reading the clock is tried.
const TRIES: usize = 64;

const CLASSES: usize = EventClass::ALL.len();

static COSTS: [Cost; CLASSES] = [const { Cost::new() }; CLASSES];

/// The events of a class, all threads together.
#[derive(Debug)]
#[repr(align(128))]
struct Cost {
    /// The first events of threads, and their ticks.
    first: AtomicU64,
    first_ticks: AtomicU64,
    /// All others, how many of these were timed, and the ticks of those.
    events: AtomicU64,
    timed: AtomicU64,
    ticks: AtomicU64,
}

impl Cost {
    const fn new() -> Self {
        let [first, first_ticks, events, timed, ticks] = [const { AtomicU64::new(0) }; 5];
        Self { first, first_ticks, events, timed, ticks }
    }

    /// The events of `class`, where reading the clock takes `clock` ticks, which are part of each
    /// time. A reader multiplies the mean of the timed events by the number of all, so the ticks
    /// are those that make this product right.
    fn of_all(&self, class: EventClass, clock: u64) -> EventCost {
        let [first, events, timed] =
            [&self.first, &self.events, &self.timed].map(|number| number.load(Relaxed));
        let without_clock = |ticks: &AtomicU64, timed: u64| {
            ticks.load(Relaxed).saturating_sub(clock.saturating_mul(timed)) as f64
        };
        let first_ticks = without_clock(&self.first_ticks, first);
        let ticks = without_clock(&self.ticks, timed);
        // Without a later one that was timed, the first ones stand for the few later ones.
        let (sample, number) = if timed > 0 { (ticks, timed) } else { (first_ticks, first) };
        let all_ticks = first_ticks + sample / number.max(1) as f64 * events as f64;
        let (all, timed) = (first + events, first + timed);
        let ticks = all_ticks * timed as f64 / all.max(1) as f64;
        EventCost { class, events: all, timed, ticks: ticks.round() as u64 }
    }
}

/// A thread's events since it told of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meter {
    /// How many; `EACH - 1` as long as each event is timed and told to `first`.
    events: [u32; CLASSES],
    first: [First; CLASSES],
}

/// A thread's first events of a class.
#[derive(Debug, Clone, Copy)]
struct First {
    /// How many there were so far.
    events: u32,
    /// Those of which the thread has not told, their ticks, and how many more were interrupted.
    timed: u32,
    ticks: u64,
    interrupted: u32,
}

impl First {
    const NONE: Self = Self { events: 0, timed: 0, ticks: 0, interrupted: 0 };

    fn are_over(&self) -> bool {
        self.events >= FIRST
    }

    fn tell(&mut self, cost: &Cost) {
        cost.first.fetch_add(self.timed.into(), Relaxed);
        cost.first_ticks.fetch_add(self.ticks, Relaxed);
        cost.events.fetch_add(self.interrupted.into(), Relaxed);
        *self = Self { events: self.events, ..Self::NONE };
    }
}

impl Meter {
    pub(crate) const NEW: Self =
        Self { events: [EACH - 1; CLASSES], first: [First::NONE; CLASSES] };

    /// Counts an event; returns whether its time is to be measured.
    #[inline]
    pub(crate) fn is_due(&mut self, class: EventClass) -> bool {
        let events = &mut self.events[class as usize];
        *events += 1;
        *events >= EACH
    }

    /// The event that was counted last is counted again where it is handled.
    #[inline]
    pub(crate) fn take_back(&mut self, class: EventClass) {
        self.events[class as usize] -= 1;
    }

    /// The event that was counted last has been handled since `begin`.
    #[cold]
    pub(crate) fn tell(&mut self, class: EventClass, begin: u64) {
        let ticks = clock::now().saturating_sub(begin);
        let ticks = Some(ticks).filter(|ticks| *ticks <= clock::ticks_of(LONGEST_NS));
        self.tell_to(&COSTS[class as usize], class, ticks);
    }

    /// The event that was counted last took `ticks`, unless it was interrupted.
    fn tell_to(&mut self, cost: &Cost, class: EventClass, ticks: Option<u64>) {
        let first = &mut self.first[class as usize];
        let events = &mut self.events[class as usize];
        if first.are_over() {
            cost.events.fetch_add(std::mem::take(events).into(), Relaxed);
            if let Some(ticks) = ticks {
                cost.timed.fetch_add(1, Relaxed);
                cost.ticks.fetch_add(ticks, Relaxed);
            }
            return;
        }
        first.events += 1;
        first.timed += u32::from(ticks.is_some());
        first.interrupted += u32::from(ticks.is_none());
        first.ticks += ticks.unwrap_or(0);
        *events = EACH - 1;
        if first.are_over() {
            first.tell(cost);
            *events = 0;
        }
    }

    /// Tells how many events there were since the last one that was timed.
    pub(crate) fn close(&mut self) {
        for class in EventClass::ALL {
            let (index, cost) = (class as usize, &COSTS[class as usize]);
            if self.first[index].are_over() {
                cost.events.fetch_add(std::mem::take(&mut self.events[index]).into(), Relaxed);
            } else {
                self.first[index].tell(cost);
            }
        }
    }
}

/// Adds events of a class, of which one took `ticks`.
pub(crate) fn add(class: EventClass, events: u32, ticks: u64) {
    let cost = &COSTS[class as usize];
    cost.events.fetch_add(events.into(), Relaxed);
    cost.timed.fetch_add(1, Relaxed);
    cost.ticks.fetch_add(ticks, Relaxed);
}

/// Adds events of a class without timed ones.
pub(crate) fn add_untimed(class: EventClass, events: u64) {
    COSTS[class as usize].events.fetch_add(events, Relaxed);
}

/// A recording begins: no event yet.
pub(crate) fn begin_anew() {
    for cost in &COSTS {
        let Cost { first, first_ticks, events, timed, ticks } = cost;
        for number in [first, first_ticks, events, timed, ticks] {
            number.store(0, Relaxed);
        }
    }
}

/// What the events took so far.
pub(crate) fn costs() -> Vec<EventCost> {
    let clock = (0..TRIES).map(|_| {
        let begin = clock::now();
        clock::now().saturating_sub(begin)
    });
    // The time between two readings includes one reading, which has to be subtracted.
    let clock = clock.min().unwrap_or(0);
    let known = EventClass::ALL.into_iter().map(|class| COSTS[class as usize].of_all(class, clock));
    known.filter(|cost| cost.events > 0).collect()
}

#[cfg(test)]
mod tests {
    use oxomp_trace::info::EventClass;

    use super::{Cost, EACH, FIRST, Meter};

    /// What is said of `events` events on one thread, of which the first takes 1000 ticks and each
    /// other one 10, and reading the clock 2; and how many were due.
    fn after(events: u64) -> (u64, f64, u64) {
        let (class, cost) = (EventClass::Locks, Cost::new());
        let mut meter = Meter::NEW;
        let mut due = 0;
        for event in 0..events {
            if meter.is_due(class) {
                due += 1;
                meter.tell_to(&cost, class, Some(if event == 0 { 1002 } else { 12 }));
            }
        }
        meter.first[class as usize].tell(&cost);
        let all = cost.of_all(class, 2);
        (all.events, all.all_ticks(), due)
    }

    #[test]
    fn a_short_run_has_each_event_timed() {
        assert_eq!(after(0), (0, 0.0, 0));
        assert_eq!(after(1), (1, 1000.0, 1));
        let (events, ticks, due) = after(FIRST.into());
        assert_eq!((events, due), (u64::from(FIRST), u64::from(FIRST)));
        assert!((ticks - 1590.0).abs() < 1.0, "{ticks}");
    }

    #[test]
    fn dear_first_events_stand_for_no_others() {
        let (first, each) = (u64::from(FIRST), u64::from(EACH));
        let (events, ticks, due) = after(first + 1000 * each);
        assert_eq!((events, due), (first + 1000 * each, first + 1000));
        let right = 990.0 + 10.0 * events as f64;
        assert!((ticks - right).abs() < 0.01 * right, "{ticks} instead of {right}");
    }

    #[test]
    fn an_event_that_is_handled_elsewhere_is_counted_there() {
        let mut meter = Meter::NEW;
        assert!(meter.is_due(EventClass::Tasks));
        meter.take_back(EventClass::Tasks);
        assert!(meter.is_due(EventClass::Tasks), "the first one is still to come");
    }

    #[test]
    fn interrupted_events_count_without_a_time() {
        let (class, cost) = (EventClass::Tasks, Cost::new());
        let mut meter = Meter::NEW;
        for ticks in [Some(12), None] {
            assert!(meter.is_due(class));
            meter.tell_to(&cost, class, ticks);
        }
        meter.first[class as usize].tell(&cost);
        let all = cost.of_all(class, 2);
        assert_eq!((all.events, all.all_ticks()), (2, 20.0));
    }
}
