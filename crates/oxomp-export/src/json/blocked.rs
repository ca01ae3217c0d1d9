//! Where user code blocked, in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// A call in which threads blocked: they neither computed nor lacked a processor. Or a sink of a
/// doacross loop nest at which they waited for other iterations, where they may use a processor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Blocked {
    /// The region in whose user code it was; null outside every region.
    region: Option<Place>,
    /// What the threads waited for: `mutex (not OpenMP's)`, `condition variable`, `sleep`, `read`,
    /// `iteration (doacross)`, `turn (reduction)`. The last two's time is in the class of locks,
    /// that of all others in the class of what is blocked.
    cause: &'static str,
    /// The function of a library that the user called, or the system call; empty if no call path
    /// is known.
    function: String,
    /// The functions from the start of the program to the one that called it, the runtime left out.
    path: Vec<String>,
    /// Source file of the call; null without line information.
    file: Option<String>,
    /// Its line in `file`, from 1; null without line information.
    line: Option<u32>,
    /// How often a thread was found there.
    samples: u64,
    /// The time of all threads there, ns: what was measured in the region, in proportion to the
    /// samples.
    time_ns: u64,
    /// Standard error of `time_ns` where it is known from samples of the processor's time, ns; else
    /// 0.
    error_ns: u64,
    /// Where the cause is `iteration (doacross)`: the iterations for which those of the loop nest
    /// wait, at this sink and at its others, most often met first, other distances last; empty if
    /// they are not known, and for other causes.
    distances: Vec<Distance>,
}

/// Iterations of a doacross loop nest for which others wait.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Distance {
    /// How far they are from the waiting ones, in iterations of each loop, the outermost first: -1
    /// is the iteration before. Empty: they are at other distances.
    steps: Vec<i64>,
    /// How often threads met such a sink, whether they had to wait there or not: a number.
    count: u64,
}

impl Blocked {
    pub(super) fn new(blocked: &summary::Blocked, places: &Places<'_>) -> Self {
        Self {
            region: places.place(blocked.region),
            cause: blocked.cause.name(),
            function: blocked.function.clone(),
            path: blocked.path.clone(),
            file: blocked.line.as_ref().map(|(file, _)| file.clone()),
            line: blocked.line.as_ref().map(|(_, line)| *line),
            samples: blocked.samples,
            time_ns: blocked.time_ns,
            error_ns: blocked.error_ns,
            distances: blocked.distances.iter().map(Distance::new).collect(),
        }
    }
}

impl Distance {
    fn new(distance: &summary::Distance) -> Self {
        Self { steps: distance.steps.clone(), count: distance.count }
    }
}
