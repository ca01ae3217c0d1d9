//! The floors of `oxomp-arch`: the folders of processors do not know each other, and only the files
//! above them know them.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/arch.rs", include_str!("arch.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 5] = [
    Floor {
        name: "answers",
        what: "what a processor's folder answers with",
        rooms: &["read/calls", "read/samples", "read/system_call", "walk"],
    },
    Floor {
        name: "questions",
        what: "what every processor's folder answers",
        rooms: &["read/facts"],
    },
    Floor {
        name: "processors",
        what: "one folder each: what a process executes, and what is read of others",
        rooms: &["aarch64", "x86_64"],
    },
    Floor {
        name: "frames",
        what: "what is the same on every processor",
        rooms: &["frame", "frameless", "read", "slot", "words"],
    },
    Floor { name: "calls", what: "the program's calls of the runtime", rooms: &["call_site"] },
];
