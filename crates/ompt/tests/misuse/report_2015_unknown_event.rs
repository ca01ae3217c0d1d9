//! A method for an event that OpenMP has and the 2015 report has not.

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
