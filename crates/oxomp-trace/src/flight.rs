//! Following a recording of the last seconds, and writing these into a file of their own.
//!
//! Sums are of the whole recording: those of the last seconds are what a look has more than one
//! that was taken so long before. So looks are taken again and again, and the older ones kept for
//! as long. What passes (events, samples) is in the file with its times.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write};
use std::path::Path;

use crate::excerpt::Excerpt;
use crate::follow::{Follower, Look};
use crate::layout::ChunkKind;
use crate::read::ReadError;
use crate::slow_regions::{MOST_SLOW, SlowRegion, slow_regions};

/// A reader that can write the last seconds of a recording, at any moment.
#[derive(Debug)]
pub struct Flight {
    follower: Follower,
    kept_ns: u64,
    /// The earlier looks, the oldest first: at most one is older than what is kept.
    looks: VecDeque<Look>,
    /// The slow regions up to this number have been told, and others.
    told: u64,
    told_besides: BTreeSet<u64>,
    /// The recorded process.
    pid: u32,
}

/// Why the last seconds were not written.
#[derive(Debug, thiserror::Error)]
pub enum FlightError {
    /// The recording cannot be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// The file cannot be written.
    #[error("{0}")]
    Write(#[from] io::Error),
}

impl Flight {
    /// Opens the recording at `path`, of which the last `kept_ns` nanoseconds are wanted.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: impl AsRef<Path>, kept_ns: u64) -> Result<Self, ReadError> {
        let follower = Follower::open_for(path.as_ref(), is_updated_in_place)?;
        let pid = follower.pid()?;
        let told_besides = BTreeSet::new();
        Ok(Self { follower, kept_ns, looks: VecDeque::new(), told: 0, told_besides, pid })
    }

    /// Looks at the recording, and keeps the look. `None` if nothing is new.
    ///
    /// # Errors
    /// If reading fails, or the file is no recording.
    pub fn look(&mut self) -> Result<Option<&Look>, ReadError> {
        let Some(look) = self.follower.look()? else { return Ok(None) };
        if self.looks.back().is_some_and(|last| last.tick() >= look.tick()) {
            return Ok(None);
        }
        let is_past = |earlier: &Look| look.ns_since(earlier.tick()) >= self.kept_ns;
        while self.looks.get(1).is_some_and(is_past) {
            self.looks.pop_front();
        }
        self.looks.push_back(look);
        Ok(self.looks.back())
    }

    /// The recorded process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The last look.
    #[must_use]
    pub fn last(&self) -> Option<&Look> {
        self.looks.back()
    }

    /// The regions that have ended since the last call and took longer than the collector was told.
    ///
    /// # Errors
    /// If reading fails.
    pub fn slow_regions(&mut self) -> Result<Vec<SlowRegion>, ReadError> {
        let payload = self.follower.payload(ChunkKind::SlowRegions)?;
        let regions = payload.map_or(Vec::new(), |payload| slow_regions(&payload, self.told));
        let regions = regions.into_iter().filter(|(number, _)| self.told_besides.insert(*number));
        let regions = regions.map(|(_, region)| region).collect();
        // A thread may store its number after another one that took a later number.
        let is_far = |besides: &BTreeSet<u64>| besides.len() > MOST_SLOW / 2;
        while self.told_besides.remove(&(self.told + 1)) || is_far(&self.told_besides) {
            self.told += 1;
        }
        Ok(regions)
    }

    /// Writes the last seconds, up to now or to the recording's end, as a recording that says
    /// `why`. Returns how many nanoseconds they are; `None` if nothing is known of the recording
    /// yet.
    ///
    /// # Errors
    /// If reading fails, the file is no recording, or the output fails.
    pub fn write(&mut self, why: &str, output: impl Write) -> Result<Option<u64>, FlightError> {
        self.look()?;
        let Some(now) = self.looks.back() else { return Ok(None) };
        let whole = [now.recorded_ns(), self.kept_ns];
        let earlier =
            self.looks.front().filter(|first| first.tick() < now.tick() && whole[0] > whole[1]);
        let (_, parts) = self.follower.parts()?;
        let excerpt = Excerpt { now, earlier, why };
        excerpt.write(parts, output)?;
        let begin = earlier.map_or(now.profile.header.start_tick, Look::tick);
        Ok(Some(now.ns_since(begin)))
    }
}

/// Whether chunks of the kind are updated in place, so that their part of the last seconds is a
/// difference; or tell about the process.
fn is_updated_in_place(kind: ChunkKind) -> bool {
    use ChunkKind::{BlockedPython, Python};
    !kind.passes() && !matches!(kind, Python | BlockedPython)
}
