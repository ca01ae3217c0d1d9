//! The floors of `oxomp-collect`: the states that a thread's log embeds, the log, and what events
//! do to it.

use super::{Allowed, Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/collect.rs", include_str!("collect.rs")),
    floors: &FLOORS,
    pairs: &PAIRS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 16] = [
    Floor { name: "thread", what: "the calling native thread", rooms: &["own_thread"] },
    Floor {
        name: "system",
        what: "the processor, the system, and what needs nothing else",
        rooms: &[
            "attached",
            "clock",
            "descriptor",
            "last",
            "loader",
            "message",
            "mpi_library",
            "priority",
            "runtime_code",
            "seen",
            "slot",
            "thread_end",
            "turns",
            "wait_class",
            "zeros",
        ],
    },
    Floor {
        name: "process",
        what: "what the process is asked for, and what it has taken",
        rooms: &["census", "mode", "overhead", "perf", "settings", "usage"],
    },
    Floor { name: "file", what: "the file and its chunks", rooms: &["store"] },
    Floor {
        name: "chunks",
        what: "what a recording is made from, where its file is, and what has chunks for long",
        rooms: &[
            "counters",
            "facts",
            "mpi_events",
            "origin",
            "pages",
            "phases",
            "place",
            "slow_regions",
        ],
    },
    Floor {
        name: "shared",
        what: "what threads share, and where a thread keeps sums",
        rooms: &["costs", "holds", "sums", "team", "under_way"],
    },
    Floor {
        name: "parts",
        what: "what names a team, for other threads to find",
        rooms: &["tasks/node", "visible"],
    },
    Floor {
        name: "states",
        what: "what a log embeds of each kind of event; they know no log",
        rooms: &[
            "beside/state",
            "fold/attempts/state",
            "fold/counted/state",
            "fold/sinks/state",
            "fold/window/state",
            "loops/state",
            "offload/state",
            "scheduler/state",
            "tasks/creations",
            "tasks/short",
            "unreported",
        ],
    },
    Floor {
        name: "log",
        what: "a thread's log, and the activities in which it is",
        rooms: &["context", "log"],
    },
    Floor {
        name: "entries",
        what: "where a log's sums are, and its place in a region",
        rooms: &["beside", "fold/counts", "fold/entries"],
    },
    Floor {
        name: "processors",
        what: "call paths, and user code that does not compute",
        rooms: &["present", "sample", "scheduler"],
    },
    Floor { name: "events", what: "what events do to a log", rooms: &["fold", "loops"] },
    Floor {
        name: "constructs",
        what: "tasks and devices: their events are waits and sums of threads, too",
        rooms: &["offload", "tasks"],
    },
    Floor { name: "regions", what: "regions, which end all of these", rooms: &["fold/regions"] },
    Floor {
        name: "recording",
        what: "the recording: its beginning, its helper thread, its end",
        rooms: &["recording"],
    },
    Floor { name: "callers", what: "children of fork(2), callbacks", rooms: &["child", "tool"] },
];

/// Neighbours on a floor: the first room may use the second.
const PAIRS: [Allowed; 5] = [
    ("fold/counted/state", "beside/state", "what is around a region that is only counted"),
    ("log", "context", "a thread's nested activities are part of its log"),
    ("scheduler", "sample", "where user code begins, a thread looks whether it can be sampled"),
    ("under_way", "team", "the teams of regions that have no primary thread's log"),
    ("tool", "child", "a thread or a region of a child may begin the child's recording"),
];
