//! The first pass over an expectation: expands conditions, repetitions and named pieces.
//!
//! The result are lines without `when`, `gcc:`, `clang:`, `repeat` and `def`, each with the number
//! of its source line for messages.

use std::collections::HashMap;

use crate::compiler::Family;

/// A line of an expectation with the number of the source line it came from.
pub type Line = (usize, String);

/// The deepest nesting of pieces: deeper ones use themselves.
const DEPTH: usize = 20;

#[derive(Debug, Clone)]
struct Piece {
    parameters: Vec<String>,
    body: Vec<Line>,
}

/// Expands an expectation for one compiler; `shared` holds definitions for all programs.
///
/// # Errors
///
/// Names the line and what is wrong with it.
pub fn expand(shared: &[Line], lines: &[Line], compiler: Family) -> Result<Vec<Line>, String> {
    let mut expander = Expander { compiler, pieces: HashMap::new() };
    let mut output = Vec::new();
    expander.block(shared, &mut output, 0).map_err(|error| format!("shared pieces: {error}"))?;
    expander.block(lines, &mut output, 0)?;
    Ok(output)
}

struct Expander {
    compiler: Family,
    pieces: HashMap<String, Piece>,
}

impl Expander {
    fn block(
        &mut self,
        lines: &[Line],
        output: &mut Vec<Line>,
        depth: usize,
    ) -> Result<(), String> {
        let mut index = 0;
        while let Some((number, text)) = lines.get(index) {
            let number = *number;
            let said = |what: &str| format!("line {number}: {text}: {what}");
            if depth > DEPTH {
                return Err(said("pieces that use themselves"));
            }
            index += 1;
            let Some(text) = self.for_this_compiler(text) else { continue };
            let words: Vec<&str> = text.split_whitespace().collect();
            let mut body = || {
                let begin = index;
                index = closing(lines, begin).ok_or_else(|| said("no closing brace"))? + 1;
                Ok::<_, String>(&lines[begin..index - 1])
            };
            match words.as_slice() {
                [] => {}
                [comment, ..] if comment.starts_with('#') => {}
                ["when", name, "{"] => {
                    let body = body()?;
                    if Family::parse(name).map_err(|error| said(&error))? == self.compiler {
                        self.block(body, output, depth + 1)?;
                    }
                }
                ["repeat", count, "{"] => {
                    let count: usize = count.parse().map_err(|_| said("not a number"))?;
                    let body = body()?;
                    for turn in 0..count {
                        self.block(&numbered(body, turn), output, depth + 1)?;
                    }
                }
                ["def", name, parameters @ .., "{"] => {
                    let parameters = parameters.iter().map(|one| (*one).to_owned()).collect();
                    let piece = Piece { parameters, body: body()?.to_vec() };
                    self.pieces.insert((*name).to_owned(), piece);
                }
                [name, arguments @ ..] if name.ends_with('!') => {
                    let piece = self
                        .pieces
                        .get(name.trim_end_matches('!'))
                        .ok_or_else(|| said("no such piece"))?;
                    let body =
                        substituted(piece, arguments, number).map_err(|error| said(&error))?;
                    self.block(&body, output, depth + 1)?;
                }
                _ => output.push((number, text.to_owned())),
            }
        }
        Ok(())
    }

    /// The line without its `gcc:` or `clang:`, or `None` if it is meant for the other compiler.
    fn for_this_compiler<'a>(&self, text: &'a str) -> Option<&'a str> {
        for family in [Family::Gcc, Family::Clang] {
            let rest = text.strip_prefix(family.name()).and_then(|rest| rest.strip_prefix(':'));
            if let Some(rest) = rest {
                return (family == self.compiler).then_some(rest.trim_start());
            }
        }
        Some(text)
    }
}

/// The index of the line that closes the block whose first line is `begin`.
fn closing(lines: &[Line], begin: usize) -> Option<usize> {
    let mut open = 1;
    for (index, (_, text)) in lines.iter().enumerate().skip(begin) {
        if text.starts_with('}') {
            open -= 1;
        }
        if open == 0 {
            return Some(index);
        }
        if text.ends_with('{') {
            open += 1;
        }
    }
    None
}

/// `#` becomes the number of the turn, `#+1` the next one; an inner `repeat` keeps its own.
fn numbered(body: &[Line], turn: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut index = 0;
    while let Some((number, text)) = body.get(index) {
        if text.starts_with("repeat ") {
            let end = closing(body, index + 1).unwrap_or(body.len() - 1);
            lines.extend_from_slice(&body[index..=end]);
            index = end + 1;
            continue;
        }
        let next = (turn + 1).to_string();
        if !text.starts_with('#') {
            lines.push((*number, text.replace("#+1", &next).replace('#', &turn.to_string())));
        }
        index += 1;
    }
    lines
}

fn substituted(piece: &Piece, arguments: &[&str], number: usize) -> Result<Vec<Line>, String> {
    if arguments.len() != piece.parameters.len() {
        return Err(format!("it takes {}", piece.parameters.join(" ")));
    }
    let written = |text: &String| {
        let pairs = piece.parameters.iter().zip(arguments);
        pairs.fold(text.clone(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    };
    Ok(piece.body.iter().map(|(_, text)| (number, written(text))).collect())
}

#[cfg(test)]
mod tests {
    use super::{Family, Line, expand};

    fn lines(text: &str) -> Vec<Line> {
        (1..).zip(text.lines().map(|line| line.trim().to_owned())).collect()
    }

    fn expanded(text: &str) -> Result<Vec<String>, String> {
        let shared = lines("def twice what {\n a={what}\n b={what}\n}");
        let output = expand(&shared, &lines(text), Family::Gcc)?;
        Ok(output.into_iter().map(|(_, line)| line).collect())
    }

    #[test]
    fn conditions_choose_by_compiler() {
        let text =
            "one\ngcc: two\nclang: three\nwhen clang {\n x\n many {\n y\n }\n}\nwhen gcc {\n z\n}";
        assert_eq!(expanded(text).expect("right"), ["one", "two", "z"]);
    }

    #[test]
    fn repetitions_are_numbered_and_may_be_nested() {
        let text = "repeat 2 {\n a$p# as x#\n order x# < x#+1\n repeat 1 {\n b#\n }\n}";
        let wanted = ["a$p0 as x0", "order x0 < x1", "b0", "a$p1 as x1", "order x1 < x2", "b0"];
        assert_eq!(expanded(text).expect("right"), wanted);
    }

    #[test]
    fn pieces_take_arguments() {
        assert_eq!(expanded("twice! $p\n# a comment\n").expect("right"), ["a=$p", "b=$p"]);
        assert!(expanded("twice!").expect_err("too few").contains("it takes what"));
        assert!(expanded("\nthrice! 1").expect_err("unknown").starts_with("line 2"));
        let endless = "def me {\n me!\n}\nme!";
        assert!(expanded(endless).expect_err("endless").contains("use themselves"));
    }

    #[test]
    fn an_open_block_is_an_error() {
        assert!(expanded("when gcc {\n x").expect_err("open").contains("no closing brace"));
    }
}
