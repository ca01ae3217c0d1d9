//! When a running program is worth a look: its threads have stood still for a while, or have been
//! at work for so long that they may be spinning.
//!
//! A look stops every thread for some milliseconds, so between looks there is only one file of
//! `/proc` a second: the processor time of the process.

use std::fs;
use std::time::{Duration, Instant};

use rustix::param::clock_ticks_per_second;
use rustix::process::Pid;

/// A process that uses less of one processor than one part in this many stands still. Threads that
/// sleep in the runtime use none; a thread of the program may wake now and then.
const STILL_PART: u32 = 20;

/// Looks at a program that works are this many times rarer, since only threads that spin can be in
/// a deadlock then (`OMP_WAIT_POLICY=active`).
const WORKING_FACTOR: u32 = 4;

/// The longest time between two looks. A program that waits for its input is looked at so seldom
/// that the stops cost it nothing.
const LONGEST: Duration = Duration::from_secs(60);

/// What is known of a program's progress.
#[derive(Debug)]
pub(super) struct Stillness {
    /// Stillness of this length is worth a look.
    after: Duration,
    measured: Instant,
    processor_time: Duration,
    still_since: Option<Instant>,
    looked: Instant,
    /// The pause from the last look to the next; doubles with every look that found nothing.
    still_pause: Duration,
    working_pause: Duration,
}

impl Stillness {
    /// Of a program that has just begun.
    pub(super) fn new(after: Duration, now: Instant) -> Self {
        Self {
            after,
            measured: now,
            processor_time: Duration::ZERO,
            still_since: None,
            looked: now,
            still_pause: after,
            working_pause: after * WORKING_FACTOR,
        }
    }

    /// How long to wait until the next measurement.
    pub(super) fn period(&self) -> Duration {
        (self.after / 4).clamp(Duration::from_millis(25), Duration::from_secs(1))
    }

    /// Takes the processor time that the process has used until now; whether to look at it.
    pub(super) fn measure(&mut self, processor_time: Duration, now: Instant) -> bool {
        let elapsed = now - self.measured;
        let used = processor_time.saturating_sub(self.processor_time);
        let began = self.measured;
        self.measured = now;
        self.processor_time = processor_time;
        let is_still = used <= elapsed / STILL_PART;
        if is_still {
            let since = *self.still_since.get_or_insert(began);
            let enough = now - since >= self.after && now - self.looked >= self.still_pause;
            if enough {
                self.still_pause = (self.still_pause * 2).min(LONGEST.max(self.after));
            }
            return self.look_if(enough, now);
        }
        self.still_since = None;
        self.still_pause = self.after;
        let enough = now - self.looked >= self.working_pause;
        if enough {
            self.working_pause = (self.working_pause * 2).min(LONGEST.max(self.after));
        }
        self.look_if(enough, now)
    }

    fn look_if(&mut self, enough: bool, now: Instant) -> bool {
        if enough {
            self.looked = now;
        }
        enough
    }
}

/// The processor time that all threads of a process have used; `None` if it has ended.
pub(super) fn processor_time(pid: Pid) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    parse(&stat, clock_ticks_per_second())
}

/// Fields 14 and 15 of the line (proc(5)); the second, the name, may contain anything.
fn parse(stat: &str, ticks_per_second: u64) -> Option<Duration> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let ticks = ticks()? + ticks()?;
    Some(Duration::from_nanos(ticks.checked_mul(1_000_000_000 / ticks_per_second)?))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Stillness, parse};

    const SECOND: Duration = Duration::from_secs(1);

    /// The seconds at which a program is looked at, if in each second it uses a processor for as
    /// long as `used` says.
    fn looks(after: u32, seconds: u32, used: impl Fn(u32) -> Duration) -> Vec<u32> {
        let begin = Instant::now();
        let mut stillness = Stillness::new(after * SECOND, begin);
        let mut time = Duration::ZERO;
        (1..=seconds)
            .filter(|second| {
                time += used(*second);
                stillness.measure(time, begin + *second * SECOND)
            })
            .collect()
    }

    #[test]
    fn a_program_that_stands_still_is_looked_at_and_ever_more_seldom() {
        assert_eq!(looks(5, 200, |_| Duration::ZERO), [5, 15, 35, 75, 135, 195]);
    }

    #[test]
    fn a_program_that_works_is_looked_at_seldom() {
        assert_eq!(looks(5, 200, |_| SECOND), [20, 60, 120, 180]);
    }

    #[test]
    fn stillness_counts_from_the_last_work() {
        let work_until = |last: u32| move |now: u32| SECOND * u32::from(now <= last);
        assert_eq!(looks(5, 30, work_until(7)), [12, 22]);
        let every_third = |now: u32| SECOND * u32::from(now.is_multiple_of(3));
        assert!(looks(5, 19, every_third).is_empty());
    }

    #[test]
    fn the_name_of_a_program_does_not_confuse() {
        let line = "42 (a ) 9 b) S 1 42 42 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 4 0 100";
        assert_eq!(parse(line, 100), Some(2 * SECOND));
        assert_eq!(parse("", 100), None);
    }
}
