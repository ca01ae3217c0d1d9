//! Without the attribute nobody would know which events the tool has methods for.

use ompt::{Initialization, ParallelBegin, Tool};

struct Silent;

impl Tool for Silent {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    fn parallel_begin(&self, _: &ParallelBegin<'_>) {}
}

fn main() {}
