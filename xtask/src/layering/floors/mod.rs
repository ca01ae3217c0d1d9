//! The floors of each crate, the pairs of neighbours and the exceptions: one file a crate.

mod abi;
mod analysis;
mod core;
mod inspect;
mod probe;

/// A floor: its files use those of the floors below.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Folders and files (without `.rs`) below the crate's `src`; empty for all files. Of two rooms that a file
    /// lies in, the longer path counts.
    pub rooms: &'static [&'static str],
}

/// An arrow that is allowed beside the rule: from, to, and why.
pub type Allowed = (&'static str, &'static str, &'static str);

/// A floor whose files may form one circle across rooms: blocks that point to each other.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The floor's name.
    pub floor: &'static str,
    /// How many files the circle may have.
    pub most: usize,
}

/// The rules for the inside of a crate.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The file of this table, below the root of the repository, and its text.
    pub table: (&'static str, &'static str),
    /// The floors, the lowest first.
    pub floors: &'static [Floor],
    /// Rooms of one floor of which the first may use the second.
    pub pairs: &'static [Allowed],
    /// Files of which the first may use the second, on a floor above.
    pub exceptions: &'static [Allowed],
    /// The floor of the blocks, if the crate has one.
    pub blocks: Option<Blocks>,
    /// How many files a circle inside any one room may have.
    pub most_in_room: usize,
}

/// The crates with floors.
const ALL: [(&str, Rules); 5] = [
    ("oxomp-abi", abi::RULES),
    ("oxomp-analysis", analysis::RULES),
    ("oxomp-core", core::RULES),
    ("oxomp-inspect", inspect::RULES),
    ("oxomp-probe", probe::RULES),
];

/// Crates with larger circles than the others may have, and the largest one's files.
const KNOTS: [(&str, usize); 10] = [
    ("ompt", 18),
    ("oxomp", 7),
    ("oxomp-collect", 38),
    ("oxomp-html", 5),
    ("oxomp-multiplex", 8),
    ("oxomp-sys", 5),
    ("oxomp-target", 43),
    ("oxomp-target-host", 5),
    ("oxomp-testing", 5),
    ("xtask", 5),
];

/// A crate without floors: all its files are one room.
const ONE_ROOM: Rules = Rules {
    table: ("xtask/src/layering/floors/mod.rs", include_str!("mod.rs")),
    floors: &[Floor { name: "crate", what: "all files", rooms: &[""] }],
    pairs: &[],
    exceptions: &[],
    blocks: None,
    most_in_room: 4,
};

/// The rules for the inside of the crate `name`.
pub fn of(name: &str) -> Rules {
    if let Some((_, rules)) = ALL.iter().find(|(of, _)| *of == name) {
        return *rules;
    }
    let knot = KNOTS.iter().find(|(of, _)| *of == name);
    let most_in_room = knot.map_or(ONE_ROOM.most_in_room, |&(_, files)| files);
    Rules { most_in_room, ..ONE_ROOM }
}
