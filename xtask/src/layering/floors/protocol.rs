//! The floors of `oxomp-protocol`: the machine or its model, waiting, and the protocols on both.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/protocol.rs", include_str!("protocol.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 8] = [
    Floor {
        name: "kernel",
        what: "clock, sleep, processor, and a value alone on its cache line",
        rooms: &["kernel", "line"],
    },
    Floor {
        name: "shim",
        what: "atomics, pause, yield and futex: the machine's, or loom's",
        rooms: &["shim"],
    },
    Floor {
        name: "proofs",
        what: "what a caller shows by a value that it holds; where a field lies",
        rooms: &["inside", "token"],
    },
    Floor {
        name: "presence",
        what: "which threads were seen on a processor",
        rooms: &["presence"],
    },
    Floor { name: "yields", what: "whether yields pay", rooms: &["yields"] },
    Floor {
        name: "waiting",
        what: "how threads wait for one another, whatever for",
        rooms: &["lock", "once", "patience"],
    },
    Floor {
        name: "protocols",
        what: "one room each",
        rooms: &["barrier", "chain", "depend", "loops", "quota", "task", "tree"],
    },
    Floor {
        name: "meetings",
        what: "a group's threads meet at a barrier, and execute tasks",
        rooms: &["meeting"],
    },
];
