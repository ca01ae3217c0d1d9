//! A method that does not belong to an event.

use ompt::{Initialization, ParallelBegin, Tool};

struct Misspelt;

#[ompt::tool]
impl Tool for Misspelt {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    fn paralel_begin(&self, _: &ParallelBegin<'_>) {}
}

fn main() {}
