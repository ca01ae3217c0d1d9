//! What recording takes: how many events there are of each class, and how long the collector
//! handles one.
//!
//! Each thread counts its events, and for one in [`EACH`] also reads the clock at its end. Counts
//! and times are added to sums of the process, which are written at the recording's end.

use std::sync::atomic::{AtomicU64, Ordering};

use oxomp_trace::info::{EventClass, EventCost};

use crate::clock;

/// Of so many events of a class one is timed: a prime number, so that begins are timed as often as
/// ends.
const EACH: u32 = 61;
/// A time longer than this, in ns, does not count: the thread was interrupted.
const LONGEST_NS: u64 = 100_000;
/// How often reading the clock is tried.
const TRIES: usize = 64;

const CLASSES: usize = EventClass::ALL.len();

const RELAXED: Ordering = Ordering::Relaxed;

static COSTS: [Cost; CLASSES] = [const { Cost::new() }; CLASSES];

/// The events of a class, all threads together.
#[derive(Debug)]
#[repr(align(128))]
struct Cost {
    events: AtomicU64,
    timed: AtomicU64,
    ticks: AtomicU64,
}

impl Cost {
    const fn new() -> Self {
        Self { events: AtomicU64::new(0), timed: AtomicU64::new(0), ticks: AtomicU64::new(0) }
    }
}

/// A thread's events since it told of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meter {
    events: [u32; CLASSES],
}

impl Meter {
    pub(crate) const NEW: Self = Self { events: [0; CLASSES] };

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
        let events = std::mem::take(&mut self.events[class as usize]);
        if ticks > clock::ticks_of(LONGEST_NS) {
            COSTS[class as usize].events.fetch_add(events.into(), RELAXED);
        } else {
            add(class, events, ticks);
        }
    }

    /// Tells how many events there were since the last one that was timed.
    pub(crate) fn close(&mut self) {
        for class in EventClass::ALL {
            let events = std::mem::take(&mut self.events[class as usize]);
            COSTS[class as usize].events.fetch_add(events.into(), RELAXED);
        }
    }
}

/// Adds events of a class, of which one took `ticks`.
pub(crate) fn add(class: EventClass, events: u32, ticks: u64) {
    let cost = &COSTS[class as usize];
    cost.events.fetch_add(events.into(), RELAXED);
    cost.timed.fetch_add(1, RELAXED);
    cost.ticks.fetch_add(ticks, RELAXED);
}

/// Adds events of a class without timed ones.
pub(crate) fn add_untimed(class: EventClass, events: u64) {
    COSTS[class as usize].events.fetch_add(events, RELAXED);
}

/// A recording begins: no event yet.
pub(crate) fn begin_anew() {
    for cost in &COSTS {
        cost.events.store(0, RELAXED);
        cost.timed.store(0, RELAXED);
        cost.ticks.store(0, RELAXED);
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
    let known = EventClass::ALL.into_iter().map(|class| {
        let cost = &COSTS[class as usize];
        let timed = cost.timed.load(RELAXED);
        let ticks = cost.ticks.load(RELAXED).saturating_sub(clock * timed);
        EventCost { class, events: cost.events.load(RELAXED), timed, ticks }
    });
    known.filter(|cost| cost.events > 0).collect()
}
