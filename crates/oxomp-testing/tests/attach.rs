//! A tool that is attached while the program runs: by a request in the runtime's variable
//! `oxomp_attach`, which here the program itself writes.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::path::{Path, PathBuf};

use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// The rounds of the program, each with one region of four threads.
const ROUNDS: usize = 20;

struct Place {
    bench: Bench,
    tool: PathBuf,
}

impl Place {
    fn new() -> Self {
        let bench = Bench::new("attach");
        let tool = bench.tool("libtool.so", &[]);
        Self { bench, tool }
    }

    /// Runs the program of each compiler that way.
    fn each(&self, way: &str, check: impl Fn(&Outcome)) {
        for compiler in COMPILERS {
            for level in ["-O0", "-O2"] {
                println!("{compiler:?} {level} {way}");
                let program = self.bench.program(compiler, "program", &["program.c", level]);
                let outcome = self.bench.run(&program, &[way, text(&self.tool)], &[]);
                assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
                check(&outcome);
            }
        }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// What the tool says at its end. Of `tasks` one more for each root is the initial task.
fn told(threads: usize, regions: usize, tasks: usize) -> String {
    format!("tool: threads={threads} regions={regions} tasks={tasks} wrong=0\n")
}

#[track_caller]
fn assert_output(outcome: &Outcome, expected: &str) {
    assert_eq!(outcome.stdout, expected, "{outcome:#?}");
}

#[test]
fn the_tool_sees_what_begins_after_the_request() {
    let place = Place::new();
    let regions = 1 + ROUNDS;
    place.each("plain", |outcome| assert_output(outcome, &told(4, regions, 1 + 4 * regions)));
}

#[test]
fn a_region_that_is_under_way_is_hidden_until_its_end() {
    let place = Place::new();
    place.each("inside", |outcome| assert_output(outcome, &told(4, 1, 1 + 4)));
}

#[test]
fn nested_regions_and_leagues_are_seen() {
    let place = Place::new();
    // Of the four threads two are in the outer region and begin nested ones with one worker each.
    place.each("nested", |outcome| assert_output(outcome, &told(4, 6, 1 + 2 * (2 + 4))));
    place.each("teams", |outcome| {
        let words = ["regions=6", "wrong=0"];
        assert!(words.iter().all(|word| outcome.stdout.contains(word)), "{outcome:#?}");
    });
}

/// Roots in regions while the tool is attached, and one that begins later.
#[test]
fn each_root_joins_with_its_next_construct() {
    let place = Place::new();
    place.each("roots", |outcome| assert!(outcome.stdout.ends_with(" wrong=0\n"), "{outcome:#?}"));
}

#[test]
fn a_tool_that_has_ended_is_attached_again() {
    let place = Place::new();
    let regions = 1 + ROUNDS;
    let expected = told(4, regions, 1 + 4 * regions).repeat(3);
    place.each("again", |outcome| assert_output(outcome, &expected));
}

#[test]
fn a_library_that_cannot_be_loaded_is_told() {
    let place = Place::new();
    place.each("wrong", |outcome| {
        let [first, second] = outcome.stdout.split_inclusive('\n').collect::<Vec<_>>()[..] else {
            panic!("{outcome:#?}")
        };
        assert!(first.contains("/no/such/tool.so"), "{outcome:#?}");
        assert_eq!(second, told(4, 1, 1 + 4));
    });
}

/// The request was made to the process that forks. Its child has no tool, and gets one by a request
/// of its own; the counts of the tool's memory go on from those of the parent.
#[test]
fn a_child_has_no_tool_until_it_is_asked_itself() {
    let place = Place::new();
    let [child, parent] = [told(4 + 4, 2, 2 * (1 + 4)), told(4, 1, 1 + 4)];
    let expected = format!("program: ends\n{child}{parent}");
    place.each("fork", |outcome| assert_output(outcome, &expected));
}
