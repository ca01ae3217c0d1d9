//! Several recordings of one run: the ranks of a parallel job, or a program and its children.
//!
//! [`Brief`] keeps of a recording what a comparison needs, so that hundreds fit into memory;
//! [`Job`] compares them.

mod brief;
mod clocks;
mod construct;
mod events;
mod job;
mod mpi;
mod pop;
mod targets;
mod timeline;
mod waits;

pub use brief::{Brief, BriefRegion, most_lost};
pub use events::{EventsByInstance, JobEvents, RankEvents};
pub use job::{Farthest, Job, JobRegion, MpiCall, Oversubscription, RankImbalance};
pub use mpi::{MpiShare, MpiSums, MpiTimes};
pub use pop::{Efficiency, Pop, Split, Useful};
pub use targets::JobTarget;
pub use timeline::{Exchange, JobTimeline, MpiPart};
pub use waits::{MpiWait, MpiWaits, WaitCause};
