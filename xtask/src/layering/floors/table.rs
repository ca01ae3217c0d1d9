//! What a table of floors has.

/// A floor: its files may use the files of the floors below.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// The floor's name.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Folders and files (without `.rs`) below the crate's `src`; empty for all files. Of two rooms
    /// that a file lies in, the longer path counts.
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
    /// Pairs of rooms of one floor; the first may use the second.
    pub pairs: &'static [Allowed],
    /// Pairs of files; the first may use the second, which is on a floor above.
    pub exceptions: &'static [Allowed],
    /// The floor of the blocks, if the crate has one.
    pub blocks: Option<Blocks>,
    /// How many files a circle inside any one room may have.
    pub most_in_room: usize,
}

impl Rules {
    /// A crate without floors: all its files are one room. Tables name what they have besides.
    pub const ONE_ROOM: Rules = Rules {
        table: ("xtask/src/layering/floors/mod.rs", include_str!("mod.rs")),
        floors: &[Floor { name: "crate", what: "all files", rooms: &[""] }],
        pairs: &[],
        exceptions: &[],
        blocks: None,
        most_in_room: 4,
    };
}
