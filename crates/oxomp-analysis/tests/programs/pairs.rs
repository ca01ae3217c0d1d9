//! Which compilers' programs are profiled on which runtimes.

use std::env;

use oxomp_prerequisites::Program;
use oxomp_testing::turn::turn;

use crate::runtimes::Runtime;

/// The variable that selects the pairs.
const VARIABLE: &str = "OXOMP_TEST_PAIRS";

/// The checks that take more than five seconds.
pub(crate) const LONG: [&str; 10] = [
    "an_afternoon_with_an_image",
    "an_afternoon_with_bodies",
    "counters_in_one_cache_line_are_named_with_their_line",
    "events_of_a_long_run_are_recorded_in_windows_of_all_its_parts",
    "lines_that_threads_share_inside_of_a_single_region_are_named",
    "shared_lines_have_their_part_of_a_region_in_which_one_thread_works_alone",
    "short_regions_at_many_places_are_each_counted",
    "sums_are_what_events_add_up_to",
    "sums_of_plants_are_what_events_add_up_to",
    "what_threads_do_not_share_is_not_named",
];

/// Pairs of a compiler and a runtime, with which the checks of counts run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// Those of every run of the tests: oxomp has the code of both compilers. The other runtimes
    /// take turns by the checks' names, each with the code of one compiler. A [`LONG`] check has
    /// clang's code on oxomp alone.
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
    pub(crate) fn include(self, name: &str, compiler: Program, runtime: Runtime) -> bool {
        let is_usual = match (runtime, compiler) {
            (Runtime::Oxomp, Program::Clang) => true,
            _ if LONG.contains(&name) => false,
            (Runtime::Oxomp, _) => true,
            (Runtime::Libomp, Program::Clang) => turn(name, 2) == 0,
            (Runtime::Libiomp5, Program::Gcc) => turn(name, 2) == 1,
            (Runtime::Libomp | Runtime::Libiomp5, _) => false,
        };
        is_usual == (self == Self::Usual)
    }
}
