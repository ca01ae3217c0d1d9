//! The floors of `oxomp-sys`: each interface stands by itself.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/sys.rs", include_str!("sys.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 5] = [
    Floor { name: "names", what: "the text of a set of flags", rooms: &["flag_names"] },
    Floor {
        name: "forms",
        what: "how enumerations, flags, records and tables are written",
        rooms: &["c_enum", "c_record", "in_order"],
    },
    Floor {
        name: "interfaces",
        what: "those of OpenMP and of the compilers",
        rooms: &["gomp", "kmpc", "offload", "omp", "ompd", "ompt"],
    },
    Floor {
        name: "report",
        what: "the predecessor of OMPT, whose frames are also OMPT's",
        rooms: &["report_2015"],
    },
    Floor {
        name: "libraries",
        what: "what oxomp's own libraries have in common",
        rooms: &["attach", "connection", "control", "mpi", "under_way", "unreported"],
    },
];
