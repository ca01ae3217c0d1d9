//! The floors of `xtask`: a command stands by itself, on what several of them need.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/xtask.rs", include_str!("xtask.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 6] = [
    Floor {
        name: "tools",
        what: "running programs; reading files, shared objects and the table of symbols",
        rooms: &["command", "elf", "exports", "files"],
    },
    Floor {
        name: "provisions",
        what: "the workspace, the machine's packages, and what else is built or fetched",
        rooms: &["consumers", "eztrace", "harness", "iomp", "packages", "workspace"],
    },
    Floor {
        name: "references",
        what: "what tests compare with, and where they find it",
        rooms: &["references"],
    },
    Floor { name: "dist", what: "the folder that users and tests run from", rooms: &["dist"] },
    Floor { name: "test", what: "the tests", rooms: &["test"] },
    Floor {
        name: "commands",
        what: "the other commands: none uses another",
        rooms: &[
            "accuracy",
            "applications",
            "bench",
            "columns",
            "demo",
            "fuzz",
            "layering",
            "matrix",
            "offload_cost",
            "offload_tests",
            "overhead",
            "package",
            "plants",
            "soak",
        ],
    },
];
