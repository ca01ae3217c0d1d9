//! The jitter library: threads are really stopped, the program notices nothing else, and where a
//! program cannot have jitter it ends and says so.
//!
//! Needs `OXOMP_LIB`, as `cargo xtask test` sets it, though the programs do not use OpenMP.

use std::path::{Path, PathBuf};

use oxomp_prerequisites::Program;
use oxomp_testing::bench::Bench;
use oxomp_testing::directives::Ending;
use oxomp_testing::jitter::{Counts, Jitter, Library};
use oxomp_testing::process::Outcome;

/// The status of a program in which the library gave up.
const GIVEN_UP: i32 = 119;

/// A program, and the library it is run with.
struct Subject {
    bench: Bench,
    program: PathBuf,
    library: PathBuf,
}

impl Subject {
    fn new(source: &str) -> Self {
        let bench = Bench::new("jitter");
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
        let include = format!("-I{}", tests.join("include").display());
        let program = bench.compile(Program::Gcc, "program", &["-O1", &include, source]);
        let library = Library::new(&tests, &bench.path("library"));
        let library = library.get().expect("the library is compiled").to_owned();
        Subject { bench, program, library }
    }

    /// Runs it with these settings of the library.
    fn run(&self, settings: &str, arguments: &[&str]) -> Outcome {
        let counts = self.counts_file();
        let [library, counts] = [&self.library, &counts].map(|path| path.to_str().expect("plain"));
        let variables =
            [("LD_PRELOAD", library), ("TEST_JITTER", settings), ("TEST_JITTER_COUNTS", counts)];
        self.bench.run(&self.program, arguments, &variables)
    }

    fn counts_file(&self) -> PathBuf {
        self.bench.path("counts")
    }

    fn counts(&self) -> Counts {
        Counts::read(&self.counts_file()).expect("the library counted")
    }
}

#[test]
fn every_thread_is_stopped_and_so_is_one_in_a_child() {
    let subject = Subject::new("stopped.c");
    let outcome = subject.run("200,50,1", &["20", "30000"]);
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    let counts = subject.counts();
    // The main thread, three of its own, and the child.
    assert_eq!((counts.threads, counts.given_up), (5, 0), "{counts:?}");
    assert!(counts.naps >= 5 * 20, "{counts:?}");
    assert_eq!(Jitter::check(&subject.counts_file()), Ok(()));
}

#[test]
fn without_the_library_no_thread_is_stopped() {
    let subject = Subject::new("stopped.c");
    let outcome = subject.bench.run(&subject.program, &["20", "300"], &[]);
    assert_eq!(outcome.ending, Ending::Status(2), "{outcome:#?}");
    let checked = Jitter::check(&subject.counts_file());
    assert!(checked.expect_err("nothing counted").contains("without jitter"));
}

#[test]
fn a_program_notices_nothing_else() {
    let subject = Subject::new("undisturbed.c");
    let outcome = subject.run("100,50,1", &[]);
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stderr, "");
    assert!(subject.counts().naps > 100, "{:?}", subject.counts());
}

#[test]
fn a_program_that_cannot_have_jitter_ends() {
    let subject = Subject::new("takes_signals.c");
    for (settings, reason) in [
        ("500,100,1", "jitter: the program uses the signal of this library\n"),
        ("500,100", "jitter: TEST_JITTER is not PERIOD,NAP,SEED\n"),
        ("500,0,1", "jitter: a period or a nap of no length\n"),
    ] {
        let outcome = subject.run(settings, &[]);
        assert_eq!(outcome.ending, Ending::Status(GIVEN_UP), "{settings}: {outcome:#?}");
        assert_eq!(outcome.stderr, reason);
    }
    assert_eq!(subject.counts().given_up, 1);
    let checked = Jitter::check(&subject.counts_file());
    assert_eq!(checked, Err("the jitter library gave up".to_owned()));
}
