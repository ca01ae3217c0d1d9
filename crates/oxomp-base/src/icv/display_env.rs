//! The values of OMP_DISPLAY_ENV.

/// The value of OMP_DISPLAY_ENV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayEnv {
    /// The runtime prints nothing.
    No,
    /// The runtime prints the variables of the specification.
    Yes,
    /// The runtime prints all variables that it reads.
    Verbose,
}
