//! Records are read on the thread that is handed them: a device may show each in a place of that
//! thread's own.

use ompt::trace::Records;
use ompt::{Initialization, Tool};

struct Elsewhere;

#[ompt::tool]
impl Tool for Elsewhere {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    fn trace_records(&self, records: Records<'_>) {
        std::thread::scope(|scope| {
            scope.spawn(move || records.count());
        });
    }
}

fn main() {}
