//! The floors of `xtask`: a command stands by itself, on what several of them need.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/xtask.rs", include_str!("xtask.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 7] = [
    Floor { name: "tools", what: "reading files and sources", rooms: &["files", "tokens"] },
    Floor {
        name: "provisions",
        what: "the machine's packages, and what else is built or fetched",
        rooms: &["consumers", "eztrace", "harness", "iomp", "packages", "python"],
    },
    Floor {
        name: "processors",
        what: "other processors: libraries, compilers and an emulator",
        rooms: &["foreign"],
    },
    Floor {
        name: "references",
        what: "what tests compare with, and where they find it",
        rooms: &["references"],
    },
    Floor { name: "book", what: "the book, which the tests check", rooms: &["book"] },
    Floor { name: "test", what: "the tests", rooms: &["test"] },
    Floor {
        name: "commands",
        what: "the other commands: none uses another",
        rooms: &[
            "accuracy",
            "applications",
            "bench",
            "columns",
            "fuzz",
            "layering",
            "matrix",
            "offload_cost",
            "offload_tests",
            "overhead",
            "package",
            "plants",
            "release",
            "soak",
        ],
    },
];
