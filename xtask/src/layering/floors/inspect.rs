//! The floors of `oxomp-inspect`: what an image is made of, the image, and where images come from.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/inspect.rs", include_str!("inspect.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 7] = [
    Floor {
        name: "facts",
        what: "single facts of a process, from `/proc` and bytes; why there is no answer",
        rooms: &["bytes", "error", "maps", "pages", "status", "thread"],
    },
    Floor { name: "memory", what: "memory, of a process or in a core file", rooms: &["memory"] },
    Floor { name: "binaries", what: "binaries in that memory", rooms: &["binary"] },
    Floor {
        name: "means",
        what: "what an image works with: walks, names, the thread that holds the process",
        rooms: &["names", "stop", "unwind"],
    },
    Floor { name: "image", what: "a process that stands still", rooms: &["image"] },
    Floor {
        name: "sources",
        what: "where images come from, and what is asked of one",
        rooms: &["callee", "core_file", "live", "path"],
    },
    Floor { name: "child", what: "a program that is traced from its start", rooms: &["child"] },
];
