//! What the OpenMP runtime stands on: the operating system, messages, internal control variables,
//! places, the table of allocators, and the settings that follow from them.
//!
//! Nothing here knows a thread, a team or a task of OpenMP: `oxomp-core` builds them above. So the
//! compiler rejects an arrow from here up to a construct. README.md says what the crate may use.
//!
//! Floors, lowest first; a file uses its own room and the floors below:
//!
//! | floor | rooms |
//! |---|---|
//! | machine | `os`, `version`, `word`, `inside`, `breakpoint` |
//! | messages | `diag` |
//! | variables | `icv`, `memory` |
//! | places | `places` |
//! | allocators | `allocators` |
//! | settings | `settings` |
//!
//! `unsafe` code is denied, except in the modules that state here why they need it.

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[expect(unsafe_code, reason = "slots that threads share and that are never freed")]
pub mod allocators;
#[expect(unsafe_code, reason = "functions for debuggers are called")]
pub mod breakpoint;
#[expect(unsafe_code, reason = "compilers' source locations, the loader's names")]
pub mod diag;
pub mod icv;
pub mod inside;
#[expect(unsafe_code, reason = "the allocator")]
pub mod memory;
#[expect(unsafe_code, reason = "system calls")]
pub mod os;
pub mod places;
pub mod settings;
pub mod version;
#[expect(unsafe_code, reason = "a word holds the address of a block")]
pub mod word;
