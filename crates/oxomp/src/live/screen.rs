//! Where views are shown: on a terminal each takes the place of the one before; elsewhere they
//! follow each other.

use std::io::{self, IsTerminal, Write, stderr, stdout};

use oxomp_text::Style;
use rustix::termios::tcgetwinsize;

use crate::terminal::style_of;

/// A stream that shows views.
#[derive(Debug)]
pub(crate) struct Screen {
    stream: Stream,
    is_redrawn: bool,
    has_shown: bool,
}

#[derive(Debug, Clone, Copy)]
enum Stream {
    Output,
    Errors,
}

impl Screen {
    /// Standard output.
    pub(crate) fn of_output() -> Self {
        Self { stream: Stream::Output, is_redrawn: stdout().is_terminal(), has_shown: false }
    }

    /// Standard error. Where the program's output goes to a terminal, views follow each other, so
    /// that they do not overwrite it.
    pub(crate) fn of_errors() -> Self {
        let is_redrawn = stderr().is_terminal() && !stdout().is_terminal();
        Self { stream: Stream::Errors, is_redrawn, has_shown: false }
    }

    /// The style that the stream can show.
    pub(crate) fn style(&self) -> Style {
        match self.stream {
            Stream::Output => style_of(&stdout()),
            Stream::Errors => style_of(&stderr()),
        }
    }

    /// Shows a view.
    pub(crate) fn show(&mut self, text: &str) -> io::Result<()> {
        let shown = match (self.is_redrawn, self.has_shown) {
            (true, has_shown) => {
                let clear = if has_shown { "" } else { "\x1b[2J" };
                format!("{clear}\x1b[H{}\x1b[J", cut(text, self.rows()))
            }
            (false, true) => format!("\n{text}"),
            (false, false) => text.to_owned(),
        };
        self.has_shown = true;
        match self.stream {
            Stream::Output => written(stdout().lock(), &shown),
            Stream::Errors => written(stderr().lock(), &shown),
        }
    }

    /// Lines that the terminal has room for.
    fn rows(&self) -> usize {
        let size = match self.stream {
            Stream::Output => tcgetwinsize(stdout()),
            Stream::Errors => tcgetwinsize(stderr()),
        };
        let rows = size.map_or(0, |size| usize::from(size.ws_row));
        if rows == 0 { usize::MAX } else { rows }
    }
}

fn written(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// The lines of `text` for which there is room above the cursor's, each of which clears the rest of
/// its row.
fn cut(text: &str, rows: usize) -> String {
    let lines = text.lines().take(rows.saturating_sub(1));
    lines.map(|line| format!("{line}\x1b[K\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn the_last_row_is_the_cursors() {
        assert_eq!(cut("a\nb\nc\n", 3), "a\x1b[K\nb\x1b[K\n");
        assert_eq!(cut("a\n", usize::MAX), "a\x1b[K\n");
        assert_eq!(cut("a\n", 0), "");
    }
}
