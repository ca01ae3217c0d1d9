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
//! | the debugger's callbacks | `callbacks` |
//! | the memory that the library takes, all of it the debugger's | `memory` |
//! | a process through the callbacks | `process` |
//! | the nouns of OpenMP in a process | the crate `oxomp-debuggee` |
//! | internal control variables | `icv` |

mod callbacks;
mod control_vars;
mod exports;
mod handles;
mod icv;
mod library;
mod memory;
mod native_id;
mod process;
mod state;
mod strings;
#[cfg(test)]
mod tests;
mod tool_data;

use oxomp_debuggee::Answer;
