//! With data of its own types a tool cannot write the words that lead to them.

use ompt::{Data, Initialization, ParallelBegin, Tool, Typed};

struct Writer;

#[ompt::tool]
impl Data for Writer {
    type Region = u32;

    fn new_region(&self, _: &ParallelBegin<'_, Typed<Self>>) -> u32 {
        0
    }
}

#[ompt::tool]
impl Tool for Writer {
    type Model = Typed<Self>;

    fn initialize(_: &Initialization<Typed<Self>>) -> Option<Self> {
        Some(Self)
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_, Typed<Self>>) {
        if let Some(region) = event.parallel {
            region.set(1);
        }
    }
}

fn main() {}
