//! The OMPD library (OpenMP 6.0 chapters 38 to 41): a debugger loads it and asks it for the
//! threads, regions, tasks and variables of a process on oxomp.
//!
//! The library reads the process only through the debugger's callbacks and the table of
//! `oxomp-ompd-layout`, which the runtime exports; it shares no other knowledge with the runtime.
//! Nothing that it reads is trusted: every walk is bounded, and every failure is a return code.
//!
//! | piece | where |
//! |---|---|
//! | the exported functions: arguments checked, results written | `exports` |
//! | the state of the library, address spaces and handles | `library`, `handles` |
//! | the debugger's callbacks | `callbacks`, `memory` |
//! | a process through its layout | `address_space` |
//! | the nouns of OpenMP in a process | `thread`, `parallel`, `task`, `implicit_task` |
//! | internal control variables | `icv` |

mod address_space;
mod callbacks;
mod control_vars;
mod exports;
mod handles;
mod icv;
mod implicit_task;
mod library;
mod memory;
mod native_id;
mod parallel;
mod state;
mod strings;
mod task;
#[cfg(test)]
mod tests;
mod thread;
mod tool_data;

use oxomp_sys::ompd::ompd_rc_t;

/// The result of a question, or the code that the library returns instead.
type Answer<T> = Result<T, ompd_rc_t>;

/// The most steps of a walk from object to object: deeper nests of regions and tasks are taken for
/// corrupted memory.
const LONGEST_WALK: usize = 1 << 10;
