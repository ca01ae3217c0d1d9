//! Tasks as far as threads share them: where they wait to be run, how they are counted, and when
//! their memory is free. Steps and argument: README.md beside this file.

mod begun;
mod children;
mod deque;
mod event;
mod gate;
mod lineage;
mod returned;
mod search;
mod tally;
mod unfinished;

pub use begun::{Begun, are_over};
pub use children::Children;
pub use deque::{CAPACITY, Deque, Stolen};
pub use event::{Event, Fulfilment, SERIALS};
pub use gate::Gate;
pub use lineage::{Complete, Lineage, retire};
pub use returned::{Linked, Returned};
pub use search::{Search, find_in_deques, find_task};
pub use tally::{Tally, is_quiescent};
pub use unfinished::Unfinished;
