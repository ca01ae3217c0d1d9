//! The attribute of the other interface.

use ompt::report_2015::{Idle, Initialization, Tool};

struct Idleness;

#[ompt::tool]
impl Tool for Idleness {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    fn idle_begin(&self, _: &Idle) {}
}

fn main() {}
