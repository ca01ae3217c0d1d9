//! A macro that makes methods would hide them from the attribute.

use ompt::{Flush, Initialization, Tool};

struct Hidden;

macro_rules! methods {
    () => {
        fn flush(&self, _: &Flush<'_>) {}
    };
}

#[ompt::tool]
impl Tool for Hidden {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    methods!();
}

fn main() {}
