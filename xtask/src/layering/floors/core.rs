//! The floors of `oxomp-core`, and the pairs of neighbours. `oxomp-base` is below all of them.

use super::{Allowed, Blocks, Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/core.rs", include_str!("core.rs")),
    floors: &FLOORS,
    pairs: &PAIRS,
    blocks: Some(Blocks { floor: "blocks", most: 14 }),
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 8] = [
    Floor {
        name: "events",
        what: "what tools, debuggers and detectors are told",
        rooms: &["ompt/event", "ompd/process", "race_detector"],
    },
    Floor {
        name: "states",
        what: "the states of constructs that blocks embed; they know no block",
        rooms: &[
            "affinity_format/displayed",
            "barrier/order",
            "cancel/state",
            "consistency/nesting",
            "copyprivate/published",
            "reduction/state",
            "worksharing/state",
        ],
    },
    Floor {
        name: "blocks",
        what: "Thread, Team, ImplicitTask, Task: fields, invariants, accessors",
        rooms: &["block", "task/state"],
    },
    Floor {
        name: "constructs",
        what: "one room each",
        rooms: &[
            "affinity_format",
            "allocator",
            "barrier",
            "cancel",
            "consistency",
            "copyprivate",
            "defaults",
            "devices",
            "error_directive",
            "flush",
            "masked",
            "mutex",
            "ompd/stops",
            "reduction",
            "task",
            "threadprivate",
            "worksharing",
        ],
    },
    Floor { name: "pool", what: "the native threads that no team has", rooms: &["pool"] },
    Floor { name: "parallel", what: "parallel and target regions", rooms: &["parallel", "target"] },
    Floor {
        name: "tools",
        what: "OMPT's and OMPD's sides to tools and debuggers",
        rooms: &["ompt/tool", "ompd"],
    },
    Floor {
        name: "process",
        what: "start, stop, roots, fork(2): calls everything below",
        rooms: &["process"],
    },
];

/// Neighbours on a floor: the first room may use the second.
const PAIRS: [Allowed; 12] = [
    ("block", "task/state", "a thread, a team and an implicit task have tasks"),
    ("task/state", "block", "a task has a team, and is executed by threads"),
    ("barrier", "cancel", "threads leave a barrier of a cancelled region"),
    ("barrier", "task", "threads that wait at a barrier execute tasks"),
    ("cancel", "barrier", "a barrier is a cancellation point"),
    ("cancel", "task", "threads that leave a region wait for its tasks that have begun"),
    ("cancel", "worksharing", "the thread leaves its cancelled loop"),
    ("copyprivate", "barrier", "the barrier orders the publishing thread before the others"),
    ("defaults", "affinity_format", "the routines that set what the environment sets"),
    ("reduction", "mutex", "small teams combine in a critical region"),
    ("task", "cancel", "a task of a cancelled region does not begin"),
    ("task", "ompd/stops", "a debugger stops where tasks begin and end"),
];
