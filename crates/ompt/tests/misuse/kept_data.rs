//! A thread's data are gone when the thread is; the closure sees them for its call only.

use ompt::{Data, EntryPoints, Initialization, ThreadBegin, Tool, Typed};

struct Keeper {
    entry_points: EntryPoints<Typed<Self>>,
}

#[ompt::tool]
impl Data for Keeper {
    type Thread = String;

    fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> String {
        String::new()
    }
}

#[ompt::tool]
impl Tool for Keeper {
    type Model = Typed<Self>;

    fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
        Some(Self { entry_points: initialization.entry_points })
    }

    fn finalize(&self) {
        let name = self.entry_points.thread_data(|thread| thread.get());
        println!("{name:?}");
    }
}

fn main() {}
