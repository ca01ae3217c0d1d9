//! The events that a test program's expected trace demands (`tests/README.md`, "Expected events").

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The file of the named pieces that all programs may use.
const SHARED: &str = "tests/expect/pieces.trace";

/// Blocks whose lines need not happen.
const OPTIONAL: [&str; 3] = ["many", "maybe", "either"];

/// Lines that expect no event of their own.
const CONSTRAINTS: [&str; 4] = ["order", "prompt", "callback", "+"];

/// The families of compilers, as conditions name them.
const FAMILIES: [&str; 2] = ["gcc", "clang"];

/// The lines of each named piece.
type Pieces = BTreeMap<String, Vec<String>>;

/// Reads the expectations of programs, with the pieces that they share.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    shared: Vec<String>,
}

impl Traces {
    /// With the shared pieces of the repository at `root`, if it has any.
    pub(crate) fn new(root: &Path) -> Result<Self> {
        let path = root.join(SHARED);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self { shared: text.lines().map(|line| line.trim().to_owned()).collect() })
    }

    /// The events without which the program with these `lines` of expectation fails where a
    /// compiler of `family` made it.
    pub(crate) fn demanded(&self, lines: &[String], family: &str) -> BTreeSet<String> {
        let mut pieces = Pieces::new();
        let mut events = BTreeSet::new();
        for lines in [self.shared.as_slice(), lines] {
            collect(lines, family, &mut pieces, &mut events);
        }
        events
    }
}

fn collect(lines: &[String], family: &str, pieces: &mut Pieces, events: &mut BTreeSet<String>) {
    // For each open block, whether its lines must happen.
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(line) = for_family(line, family) else { continue };
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with('}') {
            open.pop();
        }
        let happens = !open.contains(&false);
        match words[..] {
            [] | ["}"] => {}
            [comment, ..] if comment.starts_with('#') => {}
            ["def", name, .., "{"] if happens => {
                let end = closing(lines, at);
                pieces.insert(name.to_owned(), lines[at..end].to_vec());
                at = end + 1;
            }
            ["when", condition, "{"] => open.push(condition == family),
            ["}", "or", "{"] => open.push(false),
            ["worker" | "root", number, "{"] => open.push(!number.starts_with('0')),
            [kind, .., "{"] => open.push(!OPTIONAL.contains(&kind)),
            _ if !happens => {}
            [name, ..] if name.ends_with('!') => {
                if let Some(body) = pieces.get(name.trim_end_matches('!')).cloned() {
                    collect(&body, family, pieces, events);
                }
            }
            ["total", "0", ..] => {}
            ["total", _, event, ..] => {
                events.insert(event.to_owned());
            }
            [word, ..] if CONSTRAINTS.contains(&word) => {}
            [event, ..] => {
                events.insert(event.to_owned());
            }
        }
    }
}

/// The line without its `gcc:` or `clang:`; `None` if it is meant for the other family.
fn for_family<'a>(line: &'a str, family: &str) -> Option<&'a str> {
    for name in FAMILIES {
        if let Some(rest) = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')) {
            return (name == family).then_some(rest.trim_start());
        }
    }
    Some(line)
}

/// The index of the line that closes the block whose first line is `begin`.
fn closing(lines: &[String], begin: usize) -> usize {
    let mut open = 1;
    for (index, line) in lines.iter().enumerate().skip(begin) {
        open -= usize::from(line.starts_with('}'));
        if open == 0 {
            return index;
        }
        open += usize::from(line.ends_with('{'));
    }
    lines.len()
}

#[cfg(test)]
mod tests {
    use super::Traces;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    fn demanded(text: &str) -> Vec<String> {
        let shared = "# pieces\ndef twice what {\n {what}\n gcc: nest_lock a={what}\n}";
        Traces { shared: lines(shared) }.demanded(&lines(text), "gcc").into_iter().collect()
    }

    #[test]
    fn an_event_is_the_first_word_of_a_line_that_must_happen() {
        let text = "primary {\n work type=sections\n + task_info flags=target\n}\n# flush\n\
                    worker 0-1 {\n cancel\n}\ncallback error always\norder a < b";
        assert_eq!(demanded(text), ["work"]);
    }

    #[test]
    fn what_may_be_left_out_does_not_count() {
        let text = "many {\n dispatch\n maybe {\n flush\n }\n}\n\
                    either {\n work\n} or {\n masked\n}\n\
                    total 0 error\ntotal 3 dispatch kind=x";
        assert_eq!(demanded(text), ["dispatch"]);
    }

    #[test]
    fn lines_of_the_other_family_do_not_count() {
        let text = "clang: flush\ngcc: work\nwhen clang {\n masked\n}\nwhen gcc {\n error\n}";
        assert_eq!(demanded(text), ["error", "work"]);
    }

    #[test]
    fn pieces_count_where_they_are_used() {
        assert_eq!(demanded("def own {\n flush\n}"), [""; 0]);
        assert_eq!(demanded("def own {\n flush\n}\nown!\nwork"), ["flush", "work"]);
        assert!(demanded("twice! x").contains(&"nest_lock".to_owned()));
    }
}
