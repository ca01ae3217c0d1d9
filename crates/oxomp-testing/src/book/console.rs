//! The commands of a block of `console`, and the output that it shows of each.

use super::block::Block;
use super::likeness::ELLIPSIS;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its line on the page, from 1.
    pub line: usize,
    /// The command itself, with its continuation lines.
    pub text: String,
    /// The lines that the page shows of its output; none if the output does not matter.
    pub output: Vec<String>,
    /// The exit status.
    pub status: i32,
}

/// The commands of `block`.
///
/// # Errors
///
/// The first line that has no meaning.
pub fn commands(block: &Block) -> Result<Vec<Command>, String> {
    let mut commands: Vec<Command> = Vec::new();
    let mut lines = block.text.lines().zip(block.line + 1..);
    while let Some((text, line)) = lines.next() {
        if let Some(begin) = text.strip_prefix("$ ") {
            let mut text = begin.to_owned();
            while text.ends_with('\\') {
                let (more, _) = lines.next().ok_or_else(|| format!("line {line}: no end"))?;
                text = format!("{text}\n{more}");
            }
            commands.push(Command { line, text, output: Vec::new(), status: 0 });
        } else if let Some(command) = commands.last_mut() {
            command.output.push(text.to_owned());
        } else {
            return Err(format!("line {line}: an output before the first command"));
        }
    }
    commands.iter_mut().try_for_each(finish)?;
    Ok(commands)
}

/// Separates the exit status from the output, and removes the blank lines around it.
fn finish(command: &mut Command) -> Result<(), String> {
    let output = &mut command.output;
    let is_blank = |line: &String| line.trim().is_empty();
    let without_end = |output: &mut Vec<String>| {
        while output.pop_if(|line| is_blank(line)).is_some() {}
    };
    without_end(output);
    if let Some(status) = output.last().and_then(|line| status(line)) {
        command.status = status;
        output.pop();
        without_end(output);
    }
    let begin = output.iter().take_while(|line| is_blank(line)).count();
    output.drain(..begin);
    if !output.is_empty() && output.iter().all(|line| is_blank(line) || line.trim() == ELLIPSIS) {
        return Err(format!("line {}: this output cannot differ: leave it out", command.line));
    }
    Ok(())
}

/// The number in `[exit status 1]`.
fn status(line: &str) -> Option<i32> {
    line.trim().strip_prefix("[exit status ")?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Block, Command, commands};
    use crate::book::Kind;

    fn read(text: &str) -> Result<Vec<Command>, String> {
        commands(&Block { line: 7, kind: Kind::Console(Vec::new()), text: text.to_owned() })
    }

    #[test]
    fn a_command_has_its_output_and_its_status() {
        let found = read("$ cc a.c \\\n    -o a\n$ ./a\n\n1\n\n2\n\n[exit status 3]\n\n").unwrap();
        let compiler = Command {
            line: 8,
            text: "cc a.c \\\n    -o a".to_owned(),
            output: Vec::new(),
            status: 0,
        };
        let output = ["1", "", "2"].map(str::to_owned).to_vec();
        let program = Command { line: 10, text: "./a".to_owned(), output, status: 3 };
        assert_eq!(found, [compiler, program]);
    }

    #[test]
    fn what_says_nothing_is_refused() {
        for text in ["a\n$ b\n", "$ a\n...\n", "$ a\n...\n\n...\n[exit status 1]\n", "$ a \\\n"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
