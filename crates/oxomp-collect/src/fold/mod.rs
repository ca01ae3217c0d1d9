//! Folding: what a thread's events add up to, formed as they come, whether they are recorded
//! besides or not.
//!
//! The definitions are those of the analysis, in a form that needs no look back: a thread adds up a
//! wait when it ends; the primary thread of a region forms the region's sums when it ends; a worker
//! accounts for the time between two regions when the second one begins.
//!
//! Events are recorded besides in a part of the run only ([`window`]). Outside these parts
//! short regions and tasks may be only counted.

mod attempts;
mod counted;
mod counts;
mod entries;
mod mpi;
mod mutexes;
mod phases;
mod regions;
mod sinks;
mod split;
mod task_under_way;
mod time;
mod unreported;
mod waits;
mod window;
mod word;

use crate::{holds, loops, turns};

pub(crate) use attempts::Tested;
pub(crate) use counted::{CountedRegion, MemberCounts};
pub(crate) use regions::{DoingUnderWay, UnderWay};
pub(crate) use sinks::Sinks;
pub(crate) use window::{Used, begin_anew, judge, keeps_last, open_next};
pub(crate) use word::Word;

/// Allocates the table that folding needs and notes the recording's begin, before threads find the
/// recording.
pub(crate) fn prepare(start: u64, ticks_per_second: u64) {
    holds::prepare();
    loops::prepare(ticks_per_second);
    window::prepare(start, ticks_per_second);
    turns::prepare(ticks_per_second);
}
