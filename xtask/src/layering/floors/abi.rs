//! The floors of `oxomp-abi`: each family knows one kind of caller, and no family knows another
//! one.

use super::{Floor, Rules};

pub(super) const RULES: Rules = Rules {
    table: ("xtask/src/layering/floors/abi.rs", include_str!("abi.rs")),
    floors: &FLOORS,
    ..Rules::ONE_ROOM
};

const FLOORS: [Floor; 2] = [
    Floor {
        name: "callers",
        what: "what every family needs: notes of the caller, typed arguments, what is ignored",
        rooms: &["argument", "entry", "ignored", "offload"],
    },
    Floor {
        name: "families",
        what: "the compilers, the user's routines, what tools and debuggers look for",
        rooms: &["kmpc", "gomp", "omp", "kmp", "ompt", "ompd", "attach"],
    },
];
