//! The floors of `oxomp-base`: what the runtime has before there is a thread of OpenMP.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/base.rs", include_str!("base.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 6] = [
    Floor {
        name: "machine",
        what: "the operating system, words, and their places for debuggers",
        rooms: &["os", "version", "word", "inside", "breakpoint"],
    },
    Floor { name: "messages", what: "what the user is told", rooms: &["diag"] },
    Floor { name: "variables", what: "what can be configured", rooms: &["icv", "memory"] },
    Floor { name: "places", what: "where threads can run", rooms: &["places"] },
    Floor { name: "allocators", what: "memory of programs", rooms: &["allocators"] },
    Floor { name: "settings", what: "what is configured", rooms: &["settings"] },
];
