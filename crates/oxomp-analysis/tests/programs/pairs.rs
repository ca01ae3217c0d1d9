//! Which compilers' programs are profiled on which runtimes.

use std::env;

use oxomp_prerequisites::Program;
use oxomp_testing::turn::turn;

use crate::runtimes::Runtime;

/// The variable that selects the pairs.
const VARIABLE: &str = "OXOMP_TEST_PAIRS";

/// Pairs of a compiler and a runtime, with which the checks of counts run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// Those of every run of the tests: oxomp has the code of both compilers, but for checks that
    /// take long. The other runtimes take turns by the checks' names, each with the code of one
    /// compiler.
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

    /// Whether the check `name` runs with this pair.
    pub(crate) fn include(
        self,
        name: &str,
        compiler: Program,
        runtime: Runtime,
        takes_long: bool,
    ) -> bool {
        let is_usual = match (runtime, compiler) {
            (Runtime::Libomp, Program::Clang) => turn(name, 2) == 0,
            (Runtime::Libiomp5, Program::Gcc) => turn(name, 2) == 1,
            (Runtime::Libomp | Runtime::Libiomp5, _) => false,
            (Runtime::Oxomp, compiler) => compiler == Program::Clang || !takes_long,
        };
        is_usual == (self == Self::Usual)
    }
}
