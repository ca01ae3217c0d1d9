//! Data of a thread that another thread may not see do not go there.

use std::cell::Cell;

use ompt::{Data, EntryPoints, Initialization, ThreadBegin, Tool, Typed};

struct Sender {
    entry_points: EntryPoints<Typed<Self>>,
}

#[ompt::tool]
impl Data for Sender {
    type Thread = Cell<u32>;

    fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> Cell<u32> {
        Cell::new(0)
    }
}

#[ompt::tool]
impl Tool for Sender {
    type Model = Typed<Self>;

    fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
        Some(Self { entry_points: initialization.entry_points })
    }

    fn finalize(&self) {
        self.entry_points.thread_data(|thread| {
            std::thread::scope(|scope| {
                scope.spawn(move || thread.set(1));
            });
        });
    }
}

fn main() {}
