//! A tool whose data are of another tool's types would read that tool's records.

use ompt::{Data, Initialization, ThreadBegin, Tool, Typed};

struct Honest;
struct Thief;

#[ompt::tool]
impl Data for Honest {
    type Thread = String;

    fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> String {
        String::new()
    }
}

#[ompt::tool]
impl Tool for Honest {
    type Model = Typed<Self>;

    fn initialize(_: &Initialization<Typed<Self>>) -> Option<Self> {
        Some(Self)
    }
}

#[ompt::tool]
impl Tool for Thief {
    type Model = Typed<Honest>;

    fn initialize(_: &Initialization<Typed<Honest>>) -> Option<Self> {
        Some(Self)
    }
}

fn main() {}
