//! Sessions as the book shows them, and what of their output is the same in every run.

use std::sync::LazyLock;

use oxomp_testing::book::{Kind, blocks};
use oxomp_testing::compiler::Family;
use regex_lite::Regex;

/// A line that stands for any lines.
const ELLIPSIS: &str = "...";

/// A step of a session.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A line for the shell.
    Shell(String),
    /// A command for the debugger that was started last, and the lines that it prints.
    Debugger(String, Vec<String>),
}

/// The sessions of gdb in a page.
pub(crate) fn sessions(page: &str) -> Vec<Vec<Step>> {
    let blocks = blocks(page).expect("a page of the book").into_iter();
    blocks.filter(|block| block.kind == Kind::Gdb).map(|block| parse(&block.text)).collect()
}

fn parse(block: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for line in block.replace("\\\n", "").lines() {
        if let Some(shell) = line.strip_prefix("$ ") {
            steps.push(Step::Shell(shell.to_owned()));
        } else if let Some(command) = line.strip_prefix("(gdb) ") {
            steps.push(Step::Debugger(command.to_owned(), Vec::new()));
        } else if let Some(Step::Debugger(_, shown)) = steps.last_mut() {
            shown.push(line.to_owned());
        }
    }
    steps
}

/// What gdb says of its own, in an order that differs: threads that begin and end, and the stops of
/// the plug-in at them.
static OWN: LazyLock<Regex> = LazyLock::new(|| {
    let beginnings = "Thread 0x|New |Switching to|Inferior";
    Regex::new(&format!(
        r"^(\[({beginnings}).*|.*Breakpoint -\d.*|.*warning: .*|Detaching from .*|\{{stack=.*)$"
    ))
    .expect("a pattern")
});

/// A frame, and whether it belongs to the example.
static FRAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^#\d+ .*|^[^#]*@thread.*").expect("a pattern"));

/// The functions that compilers make of constructs, and their arguments. A task of clang's has two.
static OUTLINED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\S*(omp_outlined|\._omp_fn\.|omp_task_entry)\S*").expect("a pattern")
});

/// The frame that calls the runtime for a region: gcc says the line before the directive.
static CALL_OF_REGION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(.* inner \(\) at .*):\d+$").expect("a pattern"));

/// The lines of `output` as they are in every run, with this family's compiler: without addresses
/// and ids, gdb's own messages, and frames of libraries, whose numbers depend on how they were
/// built. gcc's `f._omp_fn.0` has other names and more frames with clang.
pub(crate) fn comparable(output: &[String], family: Family) -> Vec<String> {
    let lines = output.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    let lines = lines.filter(|line| !OWN.is_match(line));
    let lines = lines.filter(|line| !FRAME.is_match(line) || line.contains("nested.c:"));
    let lines = lines
        .filter(|line| family == Family::Gcc || !FRAME.is_match(line) || !OUTLINED.is_match(line));
    lines.map(|line| without_numbers(line, family)).collect()
}

fn without_numbers(line: &str, family: Family) -> String {
    let mut line = line.to_owned();
    for (pattern, placeholder) in [
        ("0x[0-9a-f]+", "ADDRESS"),
        (r"LWP \d+", "LWP N"),
        (r"^(Thread \d+) \(\d+\)", "$1 (N)"),
        (r"^#\d+ +(ADDRESS in )?", "# "),
        (r"core\.\d+", "core.N"),
        // The plug-in pads the names of files.
        (r"\s+:(\d+)$", ":$1"),
        (r"\s+", " "),
    ] {
        let pattern = Regex::new(pattern).expect("a pattern");
        line = pattern.replace_all(&line, placeholder).into_owned();
    }
    if family == Family::Clang {
        line = OUTLINED.replace_all(&line, "OUTLINED").into_owned();
        line = CALL_OF_REGION.replace(&line, "$1").into_owned();
    }
    line
}

/// Whether `lines` match `pattern`, in which `...` stands for any lines.
pub(crate) fn are_like(lines: &[String], pattern: &[String]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == ELLIPSIS => {
            (0..=lines.len()).any(|skipped| are_like(&lines[skipped..], rest))
        }
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| line == first && are_like(lines, rest))
        }
    }
}

#[test]
fn a_session_is_found_in_a_text() {
    let text = "Text\n```gdb\n$ gdb \\\n  app\n(gdb) bt\n#0  main\n(gdb) quit\n```\n```console\n$ ls\n```\n";
    let steps = vec![
        Step::Shell("gdb   app".to_owned()),
        Step::Debugger("bt".to_owned(), vec!["#0  main".to_owned()]),
        Step::Debugger("quit".to_owned(), Vec::new()),
    ];
    assert_eq!(sessions(text), [steps]);
}

#[test]
fn an_ellipsis_stands_for_any_lines() {
    let lines = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for (pattern, is_like) in [("a b c", true), ("a ...", true), ("... c", true), ("a c", false)] {
        assert_eq!(are_like(&lines("a b c"), &lines(pattern)), is_like, "{pattern}");
    }
}
