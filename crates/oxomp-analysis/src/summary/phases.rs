//! The phases of the program.

use serde::Serialize;

use super::class::{Class, Classes};
use super::written::as_one;

/// A phase that the program marked, with those inside it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PhaseSums {
    /// Its name, behind those of the phases around it and slashes; empty for the time outside
    /// every phase.
    pub path: String,
    /// How often it began; 0 for the time outside every phase.
    pub count: u64,
    /// For how long it was under way, ns.
    pub wall_ns: u64,
    /// The longest time from a begin to its end, ns; null for the time outside every phase, and if
    /// the phase never ended.
    pub longest_ns: Option<u64>,
    /// The threads' time by class while it was under way, all threads together, ns.
    // By position in `Class::ALL`.
    #[serde(rename = "classes", serialize_with = "as_one::<Classes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Classes"))]
    pub by_class: [u64; Class::COUNT],
}
