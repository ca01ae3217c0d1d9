//! To which place belongs what a thread has counted since its last reading.
//!
//! The counts of an interval go to the place of the reading that ends it. If the thread has been in
//! the same execution of the same region at both ends, they belong there; else they are mixed: a
//! part of them belongs to what it did before. So no construct reads a counter, and the part that
//! is not certain is known.

use oxomp_trace::counters::{Activity, CounterKey, Counts};

use super::reading::Reading;

/// The place of a thread at a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The code address of the innermost region; 0 outside every region.
    pub(crate) region: u64,
    pub(crate) activity: Activity,
    /// A number that differs between executions of a region, between the stretches from one barrier
    /// to the next in it, and between the times outside regions. `None` if the thread cannot tell.
    pub(crate) stretch: Option<u64>,
}

/// A thread's last reading.
#[derive(Debug, Default)]
pub(crate) struct Attribution {
    last: Reading,
    place: Option<Place>,
    /// The ticks of all pauses of the recording before it.
    paused: u64,
}

impl Attribution {
    /// Begins with a reading, after so many ticks of pauses of the recording.
    pub(crate) fn begin(reading: Reading, paused: u64) -> Self {
        Self { last: reading, place: None, paused }
    }

    /// Takes in a reading at `place`; returns what has been counted since the last one, and its
    /// key. `None` if the recording has been paused in between: the interval does not count.
    pub(crate) fn take(
        &mut self,
        reading: &Reading,
        place: Place,
        paused: u64,
    ) -> Option<(CounterKey, Counts)> {
        let before = self.place.replace(place);
        let counts = self.advance(reading, paused)?;
        let is_same = |before: Place| {
            (before.stretch, before.activity) == (place.stretch, place.activity)
                && place.stretch.is_some()
        };
        let mixed = !before.is_some_and(is_same);
        let Place { region, activity, .. } = place;
        Some((CounterKey::Place { region, activity, mixed }, counts))
    }

    /// Takes in a reading that has no place; returns what has been counted since the last one, but
    /// not over a pause of the recording.
    pub(crate) fn advance(&mut self, reading: &Reading, paused: u64) -> Option<Counts> {
        if std::mem::replace(&mut self.paused, paused) != paused {
            self.last = *reading;
            return None;
        }
        Some(self.last.advance(reading))
    }
}

#[cfg(test)]
mod tests {
    use oxomp_trace::counters::{Activity, CounterKey};

    use super::{Attribution, Place};
    use crate::counters::reading::{Reading, Value};

    /// Counters of a thread that has counted so much in so many ns.
    fn reading(count: u64, time_ns: u64) -> Reading {
        let mut reading = Reading { used: 1, time_ns, ..Reading::default() };
        reading.values[0] = Value { count, enabled_ns: time_ns, running_ns: time_ns };
        reading
    }

    fn at(region: u64, activity: Activity, stretch: u64) -> Place {
        Place { region, activity, stretch: Some(stretch) }
    }

    #[test]
    fn an_interval_within_one_stretch_is_certain() {
        use Activity::{Barrier, Work};
        let unknown = Place { stretch: None, ..at(0, Work, 0) };
        let mut own = Attribution::begin(reading(5, 100), 0);
        let places = [
            at(0x10, Work, 1),
            at(0x10, Work, 1),
            at(0x10, Barrier, 1),
            at(0x10, Barrier, 1),
            at(0x20, Work, 2),
            at(0x20, Work, 3),
            unknown,
            unknown,
        ];
        let mut found = Vec::new();
        for (place, n) in places.into_iter().zip(1..) {
            let (key, counts) = own.take(&reading(5 + n * n, 100 + 10 * n), place, 0).unwrap();
            assert_eq!((counts.values[0], counts.time_ns), (2 * n - 1, 10));
            let CounterKey::Place { region, activity, mixed } = key else { panic!("{key:?}") };
            found.push((region, activity, mixed));
        }
        assert_eq!(
            found,
            [
                (0x10, Work, true),
                (0x10, Work, false),
                (0x10, Barrier, true),
                (0x10, Barrier, false),
                (0x20, Work, true),
                (0x20, Work, true),
                (0, Work, true),
                (0, Work, true),
            ]
        );
        assert_eq!(own.advance(&reading(70, 185), 0).map(|it| it.values[0]), Some(1), "the end");
    }

    #[test]
    fn an_interval_with_a_pause_does_not_count() {
        let mut own = Attribution::begin(reading(0, 0), 0);
        let place = at(0, Activity::Work, 0);
        assert!(own.take(&reading(10, 10), place, 0).is_some());
        assert_eq!(own.take(&reading(90, 90), place, 55), None);
        let (key, counts) = own.take(&reading(100, 100), place, 55).unwrap();
        assert_eq!((counts.values[0], counts.time_ns), (10, 10));
        assert!(matches!(key, CounterKey::Place { mixed: false, .. }));
    }
}
