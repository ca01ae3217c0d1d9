//! A method that is no event's of the 2015 report, though it is one of OpenMP's.

use ompt::report_2015::{Initialization, Region, Tool};

struct Newer;

#[ompt::report_2015::tool]
impl Tool for Newer {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    fn implicit_task(&self, _: &Region) {}
}

fn main() {}
