//! The order in which a runtime tells a tool of events on different threads, where the
//! specification demands an order.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;

/// OpenMP 6.0 §17.9.5: the event occurs before the dependence is satisfied.
#[test]
fn a_dependence_is_reported_before_the_completion_of_its_source() {
    let bench = Bench::new("event_order");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "dependence", &["dependence.c"]);
        let outcome = bench.run(&program, &[], &[]);
        println!("{compiler:?}");
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert_eq!(outcome.stdout, "dependences=20 late=0 misplaced=0\n", "{outcome:#?}");
    }
}
