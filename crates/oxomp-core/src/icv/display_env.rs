//! What OMP_DISPLAY_ENV asks for.

/// OMP_DISPLAY_ENV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayEnv {
    /// Nothing is printed.
    No,
    /// The variables of the specification.
    Yes,
    /// Ours as well.
    Verbose,
}
