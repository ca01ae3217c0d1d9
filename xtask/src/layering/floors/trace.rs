//! The floors of `oxomp-trace`: the layout, what chunks hold, the readers.

use super::{Allowed, Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/trace.rs", include_str!("trace.rs")),
    floors: &FLOORS,
    pairs: &PAIRS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 9] = [
    Floor {
        name: "plain",
        what: "what needs no file: checksums, clocks, ranks, names of numbers",
        rooms: &["clock", "crc", "inner", "offload", "rank"],
    },
    Floor {
        name: "layout",
        what: "the file, its chunks, and folders",
        rooms: &["job_folder", "layout"],
    },
    Floor {
        name: "contents",
        what: "what a chunk of each kind holds",
        rooms: &[
            "costs",
            "counters",
            "event",
            "fold",
            "mpi",
            "mpi_events",
            "phases",
            "present",
            "registers",
            "slow_regions",
        ],
    },
    Floor {
        name: "composed",
        what: "contents that name others: call paths, facts, slices, threads",
        rooms: &["calls", "info", "slices", "thread_events"],
    },
    Floor {
        name: "derived",
        what: "what a reader adds: names of Python, estimates, owners of sums, counts that must \
               agree, what was under way",
        rooms: &["agreement", "estimate", "owners", "python", "ring", "standing"],
    },
    Floor { name: "files", what: "a file as a whole", rooms: &["read", "write"] },
    Floor {
        name: "moments",
        what: "a file while it is written",
        rooms: &["follow", "interval", "part_view"],
    },
    Floor {
        name: "excerpts",
        what: "parts of a recording: as a file of its own, by slices of time",
        rooms: &["excerpt", "settled"],
    },
    Floor {
        name: "flights",
        what: "who follows a recording and writes its last seconds, or its time slices",
        rooms: &["flight", "slicer"],
    },
];

/// Neighbours on a floor: the first room may use the second.
const PAIRS: [Allowed; 1] = [("interval", "follow", "an interval lies between two looks")];
