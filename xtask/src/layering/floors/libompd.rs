//! The floors of `libompd`: the debugger's memory and callbacks, what is read, what is exported.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/libompd.rs", include_str!("libompd.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 5] = [
    Floor {
        name: "values",
        what: "the debugger's memory, and the interface's numbers",
        rooms: &["memory", "native_id", "state"],
    },
    Floor { name: "callbacks", what: "what the debugger does", rooms: &["callbacks"] },
    Floor {
        name: "process",
        what: "a process by the callbacks, handles of its parts, strings for the debugger",
        rooms: &["control_vars", "handles", "process", "strings"],
    },
    Floor {
        name: "answers",
        what: "the state of the library, and what it knows of a handle",
        rooms: &["icv", "library", "tool_data"],
    },
    Floor { name: "exports", what: "the exported functions", rooms: &["exports"] },
];
