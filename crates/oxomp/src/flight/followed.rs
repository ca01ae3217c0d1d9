//! A recording of the last seconds that is followed.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fmt, io};

use oxomp_analysis::live::place_of;
use oxomp_analysis::report::units::time;
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_trace::present::{Doing, Present};
use oxomp_trace::{Flight, FlightError, Look};

use super::nanoseconds;
use crate::alive::is_alive;
use crate::messages::reason;
use crate::new_file::NewFile;
use crate::trigger::Trigger;

/// Looks at the sums in the time that is kept, and their least and longest distance.
const LOOKS: u32 = 16;
const LEAST_DISTANCE: Duration = Duration::from_millis(100);
const LONGEST_DISTANCE: Duration = Duration::from_secs(1);
/// Looks take at most one such part of the time.
const PART_OF_TIME: u32 = 20;

/// Why the last seconds are written; what somebody asks for comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reason {
    /// By a signal to this command.
    Asked,
    /// By the program: `omp_control_tool_flush`.
    ByProgram,
    /// A region took long.
    Slow(SlowRegion),
}

/// A region that took long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SlowRegion {
    pub(super) place: Place,
    ns: u64,
    /// Whether it has ended.
    has_ended: bool,
}

impl Reason {
    /// Whether somebody asks for them.
    pub(super) fn is_request(&self) -> bool {
        !matches!(self, Self::Slow(_))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("asked for by SIGUSR1"),
            Self::ByProgram => f.write_str("asked for by the program"),
            Self::Slow(SlowRegion { place, ns, has_ended }) => {
                let function = place.function_or_nearest().unwrap_or_default();
                let region = match function.as_str() {
                    "" => format!("region {}", place.short()),
                    function => format!("region {function} ({})", place.short()),
                };
                let took = time(*ns);
                match has_ended {
                    true => write!(f, "{region} took {took}"),
                    false => write!(f, "{region} has been without an event for {took}"),
                }
            }
        }
    }
}

/// A recording, and what is known of it.
#[derive(Debug)]
pub(super) struct Followed {
    flight: Flight,
    /// When it is looked at next.
    due: Instant,
    has_ended: bool,
    /// When the process was first seen to be over.
    over: Option<Instant>,
    /// The threads that were told to be in a region for long, by id and since when.
    told: Vec<(u32, u64)>,
}

/// What makes regions a reason.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watch<'a> {
    pub(super) last: Duration,
    pub(super) triggers: &'a [Trigger],
    /// Whether no region is one at present: what it shows has been written.
    pub(super) is_quiet: bool,
}

impl Followed {
    /// Follows the recording at `path`, if it can be opened.
    pub(super) fn open(path: &Path, last: Duration) -> Option<Self> {
        let flight = Flight::open(path, nanoseconds(last)).ok()?;
        let due = Instant::now();
        Some(Self { flight, due, has_ended: false, over: None, told: Vec::new() })
    }

    /// Since when the recording has ended in order, and the process, too.
    pub(super) fn over(&mut self) -> Option<Instant> {
        if self.over.is_none() && self.has_ended && !is_alive(self.flight.pid()) {
            self.over = Some(Instant::now());
        }
        self.over
    }

    /// Whether the process goes on.
    pub(super) fn runs(&self) -> bool {
        !self.has_ended && is_alive(self.flight.pid())
    }

    /// Looks at the recording, if it is time. Returns the reasons to write the last seconds.
    pub(super) fn look(&mut self, watch: Watch<'_>, symbols: &mut Symbols) -> Vec<Reason> {
        if self.has_ended {
            return Vec::new();
        }
        let begin = Instant::now();
        let mut reasons = Vec::new();
        if begin >= self.due {
            // What cannot be read now may be read the next time.
            if let Ok(Some(look)) = self.flight.look() {
                self.has_ended = look.has_ended();
                if !watch.is_quiet {
                    reasons = long_ones(look, &mut self.told, watch.triggers, symbols);
                }
            }
            let distance = (watch.last / LOOKS).clamp(LEAST_DISTANCE, LONGEST_DISTANCE);
            self.due = begin + distance.max(begin.elapsed() * PART_OF_TIME);
        }
        let ended = self.flight.slow_regions().unwrap_or_default();
        reasons.extend(ended.into_iter().filter_map(|region| {
            if region.is_request() {
                return Some(Reason::ByProgram);
            }
            let look = self.flight.last().filter(|_| !watch.is_quiet)?;
            let ns = look.ns_between(region.begin, region.end);
            slow(look, region.code, ns, true, watch.triggers, symbols)
        }));
        reasons
    }

    /// Writes the last seconds, for the reason `why`, to `path`. Returns how many nanoseconds they
    /// are; `None` if there are none.
    pub(super) fn write(&mut self, why: &str, path: &Path) -> Result<Option<u64>, String> {
        let told = |error: io::Error| format!("cannot be written: {}", reason(&error));
        let mut file = NewFile::create(path).map_err(told)?;
        let written = self.flight.write(why, &mut file).map_err(|error| match error {
            FlightError::Read(error) => error.to_string(),
            FlightError::Write(error) => told(error),
        })?;
        self.has_ended |= self.flight.last().is_some_and(Look::has_ended);
        if written.is_some() {
            file.finish().map_err(told)?;
        }
        Ok(written)
    }
}

/// The threads that are in a region for long, each told once.
fn long_ones(
    look: &Look,
    told: &mut Vec<(u32, u64)>,
    triggers: &[Trigger],
    symbols: &mut Symbols,
) -> Vec<Reason> {
    let is_present = |(tid, since): &(u32, u64)| {
        look.present().iter().any(|present| (present.tid, present.since) == (*tid, *since))
    };
    told.retain(is_present);
    // A worker that waits may do so at the end of a region that is over.
    let goes_on = |one: &&Present| one.doing == Doing::Computes || one.tid == look.pid();
    let inside = look.present().iter().filter(|one| one.code != 0);
    let inside: Vec<&Present> = inside.filter(goes_on).collect();
    let reasons = inside.into_iter().filter_map(|present| {
        let key = (present.tid, present.since);
        if told.contains(&key) {
            return None;
        }
        let reason = slow(look, present.code, look.lasts(present), false, triggers, symbols)?;
        told.push(key);
        Some(reason)
    });
    reasons.collect()
}

/// The reason that a region gives, if a trigger means it.
fn slow(
    look: &Look,
    code: u64,
    ns: u64,
    has_ended: bool,
    triggers: &[Trigger],
    symbols: &mut Symbols,
) -> Option<Reason> {
    // Names are looked up for regions that are long enough only.
    if !triggers.iter().any(|trigger| trigger.limit().as_nanos() < u128::from(ns)) {
        return None;
    }
    let place = place_of(look, code, symbols)?;
    let is_met = triggers.iter().any(|trigger| trigger.is_met(&place, ns));
    is_met.then_some(Reason::Slow(SlowRegion { place, ns, has_ended }))
}
