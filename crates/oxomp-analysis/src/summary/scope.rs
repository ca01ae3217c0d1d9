//! The part of a run that numbers are of.

use serde::Serialize;

/// The whole run, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scope {
    /// All of it.
    #[default]
    Run,
    /// The phase of the program with this path, with those inside it; of the empty path, the time
    /// outside every phase.
    Phase(String),
    /// A window of time.
    Window(Window),
}

/// A window of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Window {
    /// Its begin, ns since the start of the process.
    pub from_ns: u64,
    /// Its end, ns since the start of the process.
    pub to_ns: u64,
}
