//! The floors of `oxomp-html`: pages are made of sections, and sections of tables and pictures.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/html.rs", include_str!("html.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 6] = [
    Floor {
        name: "text",
        what: "what others' text may show, how much of it, and in which form",
        rooms: &["date", "kinds", "limits", "text"],
    },
    Floor {
        name: "parts",
        what: "the frame of a document, pictures, and what a section sees of a profile",
        rooms: &["chart", "document", "view"],
    },
    Floor { name: "definitions", what: "what each number means", rooms: &["definitions"] },
    Floor { name: "lists", what: "tables, and lists of advice", rooms: &["advice", "tables"] },
    Floor {
        name: "sections",
        what: "one file or folder each; none knows another",
        rooms: &[
            "absent", "blocked", "budget", "counters", "flame", "header", "locks", "memory", "mpi",
            "offload", "phases", "slices", "quality", "regions", "serial", "source", "tasks",
            "timeline", "verdict",
        ],
    },
    Floor {
        name: "pages",
        what: "of a profile, of a job, of several numbers of threads",
        rooms: &["profile", "job", "scale"],
    },
];
