//! A team shares its region's data.

use std::cell::Cell;

use ompt::{Data, Initialization, ParallelBegin, Tool, Typed};

struct Racy;

#[ompt::tool]
impl Data for Racy {
    type Region = Cell<u32>;

    fn new_region(&self, _: &ParallelBegin<'_, Typed<Self>>) -> Cell<u32> {
        Cell::new(0)
    }
}

#[ompt::tool]
impl Tool for Racy {
    type Model = Typed<Self>;

    fn initialize(_: &Initialization<Typed<Self>>) -> Option<Self> {
        Some(Self)
    }
}

fn main() {}
