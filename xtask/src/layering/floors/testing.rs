//! The floors of `oxomp-testing`: programs, their runs, what the recorder tells of them.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/testing.rs", include_str!("testing.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 6] = [
    Floor {
        name: "means",
        what: "compilers, the machine, interfaces by name, attempts, differences, turns",
        rooms: &["attempts", "compiler", "diff", "needs", "trace/interface", "turn"],
    },
    Floor {
        name: "descriptions",
        what: "what the files of the tests say, and what programs run on",
        rooms: &["directives", "file", "jitter", "plant", "reference", "runtime"],
    },
    Floor {
        name: "runs",
        what: "the cases of a program, the settings of a run, a process",
        rooms: &["case", "process", "settings"],
    },
    Floor {
        name: "traces",
        what: "the events of a run against those expected; timed runs",
        rooms: &["bench", "trace"],
    },
    Floor {
        name: "trials",
        what: "the test programs, random ones, and the pages of the book",
        rooms: &["book", "fuzz", "trial"],
    },
    Floor {
        name: "offload",
        what: "test programs on other offload libraries",
        rooms: &["offload"],
    },
];
