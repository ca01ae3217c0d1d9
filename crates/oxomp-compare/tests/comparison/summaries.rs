//! Summaries made by hand.

use oxomp_analysis::summarize;
use oxomp_analysis::summary::{
    Blocked, Cause, Gain, Mutex, MutexKind, Region, SerialStretch, SiteId, Summary,
};
use oxomp_analysis::symbols::Place;
use oxomp_compare::Run;
use oxomp_trace::{FileHeader, Profile};

/// The team of every region.
pub(crate) const TEAM: u32 = 4;

/// A run in which nothing was recorded.
pub(crate) fn empty() -> Summary {
    summarize(&Profile {
        header: FileHeader { ticks_per_second: 1_000_000_000, ..FileHeader::default() },
        ..Profile::default()
    })
}

/// A region outside every other.
pub(crate) fn region(site: u32, wall_ns: u64, gain: Gain) -> Region {
    Region {
        site: Some(SiteId(site)),
        calls: 1,
        wall_ns,
        team: (TEAM, TEAM),
        useful_ns: wall_ns.saturating_sub(gain.total_ns()) * u64::from(TEAM),
        gain,
        ..Region::default()
    }
}

/// A lock of which so much wall time is lost.
pub(crate) fn lock(site: u32, wait_ns: u64, spin_ns: u64, gain_ns: u64) -> Mutex {
    Mutex {
        kind: MutexKind::Lock,
        site: Some(SiteId(site)),
        locks: 1,
        acquisitions: 1,
        contended: 1,
        wait_ns,
        handoff_ns: wait_ns,
        tested_ns: spin_ns,
        spin_ns,
        gain_ns,
        ..Mutex::default()
    }
}

/// A wait of all threads in a region.
pub(crate) fn blocked(region: u32, cause: Cause, time_ns: u64) -> Blocked {
    Blocked { region: Some(SiteId(region)), cause, samples: 1, time_ns, ..Blocked::default() }
}

/// Code after a region.
pub(crate) fn serial(after: u32, total_ns: u64) -> SerialStretch {
    SerialStretch {
        after: Some(SiteId(after)),
        count: 1,
        total_ns,
        max_ns: total_ns,
        ..SerialStretch::default()
    }
}

/// What is compared of `summary`, whose sites are lines 1, 2, 3 ... of a function.
pub(crate) fn run(summary: &Summary) -> Run {
    let place = |line| Place {
        function: Some("relax".to_owned()),
        line: Some(("/src/solver.c".to_owned(), line)),
        module: Some("solver".to_owned()),
        offset: u64::from(line),
        behind: None,
        body: None,
    };
    Run::of(summary, &(1..=16).map(place).collect::<Vec<_>>())
}
