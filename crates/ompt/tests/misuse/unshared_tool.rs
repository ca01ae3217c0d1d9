//! Methods are called on many threads at once.

use std::cell::Cell;

use ompt::{Initialization, Tool};

struct Unshared {
    count: Cell<u32>,
}

#[ompt::tool]
impl Tool for Unshared {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self { count: Cell::new(0) })
    }
}

fn main() {}
