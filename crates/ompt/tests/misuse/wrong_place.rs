//! The attribute before something else.

struct Lost;

#[ompt::tool]
impl Lost {
    fn parallel_begin(&self) {}
}

fn main() {}
