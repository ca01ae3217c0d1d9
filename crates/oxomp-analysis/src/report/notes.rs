//! What a report says that is not of the profile itself.

/// Facts beyond the profile itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// The version of the program that prints.
    pub version: String,
    /// How the runtime got under the program: "kept", "preloaded".
    pub runtime_origin: Option<String>,
    /// How the program ended if not by itself, such as "killed by SIGSEGV".
    pub ended: Option<String>,
    /// Last lines: where the data lies.
    pub data: Vec<String>,
}
