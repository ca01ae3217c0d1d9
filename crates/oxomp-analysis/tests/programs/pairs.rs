//! Which compilers' programs are profiled on which runtimes.

use std::env;

use oxomp_prerequisites::Program;

use crate::runtimes::Runtime;

/// The variable that selects the pairs.
const VARIABLE: &str = "OXOMP_TEST_PAIRS";

/// Pairs of a compiler and a runtime, with which the checks of counts run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// Those of every run of the tests: each other runtime has the code of one compiler, and oxomp
    /// that of both, but for checks that take long.
    Usual,
    /// All others: `cargo xtask test --only pairs`.
    Others,
}

impl Pairs {
    /// The pairs that the environment asks for.
    pub(crate) fn from_environment() -> Result<Self, String> {
        match env::var(VARIABLE).ok().as_deref() {
            None | Some("" | "usual") => Ok(Self::Usual),
            Some("others") => Ok(Self::Others),
            Some(other) => Err(format!("{VARIABLE}={other}: give `usual` or `others`")),
        }
    }

    /// Whether a check runs with this pair.
    pub(crate) fn include(self, compiler: Program, runtime: Runtime, takes_long: bool) -> bool {
        let is_usual = match runtime {
            Runtime::Libomp => compiler == Program::Clang,
            Runtime::Libiomp5 => compiler == Program::Gcc,
            Runtime::Oxomp => compiler == Program::Clang || !takes_long,
        };
        is_usual == (self == Self::Usual)
    }
}
