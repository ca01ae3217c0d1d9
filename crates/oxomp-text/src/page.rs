//! The page that sections write to: width, colour and character set in one place.

/// The style of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Characters a line may have; at least [`Style::LEAST_WIDTH`] is assumed.
    pub width: usize,
    /// Whether to use ANSI colours.
    pub colour: bool,
    /// Whether the reader's character set has more than ASCII.
    pub unicode: bool,
}

impl Style {
    /// The width where nothing is known of a terminal.
    pub const DEFAULT_WIDTH: usize = 100;
    /// Narrower than this, lines are simply too long.
    pub const LEAST_WIDTH: usize = 40;

    /// Without colour, for files and pipes.
    #[must_use]
    pub fn plain() -> Self {
        Self { width: Self::DEFAULT_WIDTH, colour: false, unicode: true }
    }
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const RESET: &str = "\x1b[0m";

/// Stands for a space at which no line is broken.
const GLUE: char = '\u{a0}';

/// Keeps the words of `text` on one line.
#[must_use]
pub fn glued(text: &str) -> String {
    text.replace(' ', &GLUE.to_string())
}

/// Lines in the making.
#[derive(Debug)]
pub struct Page {
    style: Style,
    text: String,
}

/// The meaning of a bar, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Time well spent.
    Work,
    /// Time lost.
    Loss,
}

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Self {
            style: Style { width: style.width.max(Style::LEAST_WIDTH), ..style },
            text: String::new(),
        }
    }

    /// Characters that a line may have.
    #[must_use]
    pub fn width(&self) -> usize {
        self.style.width
    }

    /// An ordinary line.
    pub fn line(&mut self, line: &str) {
        self.push("", line);
    }

    /// Words that are filled into lines; those after the first are indented as `indent` says.
    pub fn paragraph(&mut self, text: &str, indent: usize) {
        self.fill("", text, indent);
    }

    /// Words that the reader must not miss, filled into lines like a paragraph.
    pub fn alarm(&mut self, text: &str, indent: usize) {
        self.fill(RED, text, indent);
    }

    /// Words of less weight, filled into lines like a paragraph.
    pub fn aside(&mut self, text: &str, indent: usize) {
        self.fill(DIM, text, indent);
    }

    /// A warning in the colour of alarms.
    pub fn warning(&mut self, text: &str) {
        self.fill(RED, &format!("WARNING: {text}"), 2);
    }

    /// The first line of a section, after an empty one.
    pub fn heading(&mut self, line: &str) {
        self.text.push('\n');
        self.push(BOLD, line);
    }

    /// A line that ends in a bar of `length` columns, in eighths.
    pub fn bar(&mut self, line: &str, length: f64, tone: Tone) {
        const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let eighths = (length.max(0.0) * 8.0).round() as usize;
        let bar = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
        let bar = self.in_charset(&bar);
        let line = self.in_charset(line);
        let colour = if tone == Tone::Work { GREEN } else { YELLOW };
        let bar = if self.style.colour && !bar.trim().is_empty() {
            format!("{colour}{bar}{RESET}")
        } else {
            bar
        };
        self.text.push_str(format!("{line}{bar}").trim_end());
        self.text.push('\n');
    }

    /// The text of all lines.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    fn fill(&mut self, colour: &str, text: &str, indent: usize) {
        let words = text.trim_start_matches(' ');
        let mut line = " ".repeat(text.len() - words.len());
        let mut at_start = true;
        for word in words.split(' ') {
            let longer = line.chars().count() + 1 + word.chars().count();
            if !at_start && longer > self.style.width {
                self.push(colour, &line);
                line = " ".repeat(indent);
            } else if !at_start {
                line.push(' ');
            }
            at_start = false;
            line.push_str(word);
        }
        self.push(colour, &line);
    }

    fn push(&mut self, colour: &str, line: &str) {
        let line = self.in_charset(line);
        if self.style.colour && !colour.is_empty() {
            self.text.push_str(&format!("{colour}{line}{RESET}"));
        } else {
            self.text.push_str(&line);
        }
        self.text.push('\n');
    }

    /// Each character has a stand-in of the same width, so that columns stay where they are. A name
    /// of the program may hold any bytes: those that steer a terminal do not reach it.
    fn in_charset(&self, text: &str) -> String {
        let text = text.replace(GLUE, " ");
        let control = if self.style.unicode { "\u{fffd}" } else { "?" };
        let text = text.replace(char::is_control, control);
        if self.style.unicode {
            return text;
        }
        text.chars()
            .map(|character| match character {
                '█' | '▉' | '▊' | '▋' | '▌' => '#',
                '▏' | '▎' | '▍' => ' ',
                '×' => 'x',
                '·' => '-',
                '≤' => '<',
                '≥' => '>',
                '±' => '~',
                'µ' => 'u',
                '–' => '-',
                '…' => '~',
                character if character.is_ascii() => character,
                _ => '?',
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Page, Style, Tone, glued};

    #[test]
    fn text_is_filled_and_indented() {
        let mut page = Page::new(Style { width: 40, ..Style::plain() });
        page.paragraph("one two three four five six seven eight nine ten", 4);
        assert_eq!(page.finish(), "one two three four five six seven eight\n    nine ten\n");
    }

    #[test]
    fn numbers_stay_with_their_units_and_indented_text_indented() {
        let mut page = Page::new(Style { width: 40, ..Style::plain() });
        page.paragraph(&format!("  one two three four five six seven {}", glued("3.00 ms")), 4);
        assert_eq!(page.finish(), "  one two three four five six seven\n    3.00 ms\n");
    }

    #[test]
    fn an_ascii_reader_gets_ascii() {
        let mut page = Page::new(Style { unicode: false, ..Style::plain() });
        page.line("16 × 2 µs ± 1 µs ≤ 1 s");
        page.bar("useful ", 2.6, Tone::Work);
        let text = page.finish();
        assert_eq!(text, "16 x 2 us ~ 1 us < 1 s\nuseful ###\n");
    }

    #[test]
    fn names_do_not_steer_the_terminal() {
        for (unicode, stand_in) in [(true, '\u{fffd}'), (false, '?')] {
            let mut page = Page::new(Style { unicode, ..Style::plain() });
            page.heading("Process 1 (a\u{1b}[2Jb)");
            page.paragraph("in f\r\u{9b}g", 0);
            let text = page.finish();
            assert_eq!(text, format!("\nProcess 1 (a{stand_in}[2Jb)\nin f{stand_in}{stand_in}g\n"));
        }
    }

    #[test]
    fn only_colour_brings_escapes() {
        let write = |colour| {
            let mut page = Page::new(Style { colour, ..Style::plain() });
            page.heading("Regions");
            page.warning("lost");
            page.bar("x ", 1.0, Tone::Loss);
            page.finish()
        };
        assert!(!write(false).contains('\x1b'));
        assert_eq!(write(true).matches("\x1b[0m").count(), 3);
    }
}
