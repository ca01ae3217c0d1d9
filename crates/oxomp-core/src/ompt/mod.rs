//! OMPT, the tools interface, in two rooms: `event`, which constructs call, and `tool`, which calls
//! the tool and is above the constructs.

pub mod event;
pub mod tool;
