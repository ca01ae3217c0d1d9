//! The floors of `oxomp-probe`: the tool and the programs' calls, and above them the checks.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/probe.rs", include_str!("probe.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 7] = [
    Floor {
        name: "answers",
        what: "what a check answers, and whose code an address is",
        rooms: &["verdict", "code"],
    },
    Floor {
        name: "process",
        what: "the machine, the environment, and the runtime that is loaded",
        rooms: &["machine", "environment", "runtime"],
    },
    Floor {
        name: "program",
        what: "what programs and debuggers call or find",
        rooms: &["construct", "offload", "ompd"],
    },
    Floor { name: "tool", what: "the OMPT tool, and what it is told", rooms: &["tool"] },
    Floor {
        name: "observations",
        what: "what a program does beside what the tool is told of it",
        rooms: &["recorded", "sampling"],
    },
    Floor { name: "checks", what: "the checks by subject, and their list", rooms: &["checks"] },
    Floor { name: "reports", what: "what a runtime says of itself", rooms: &["identify"] },
];
