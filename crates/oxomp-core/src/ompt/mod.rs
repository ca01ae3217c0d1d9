//! OMPT, the tools interface, in two rooms: `event`, which everybody may call, and `tool`, which
//! knows the tool and may call everybody.

pub mod event;
pub mod tool;
