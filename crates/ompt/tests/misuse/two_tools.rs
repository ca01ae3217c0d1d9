//! One library is one tool.

use ompt::{Initialization, Tool};

struct One;

#[ompt::tool]
impl Tool for One {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }
}

ompt::ompt_tool!(One);
ompt::ompt_tool!(One);

fn main() {}
