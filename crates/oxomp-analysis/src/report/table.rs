//! Columns that line up and fit the width: long texts are shortened, then columns left out.

use oxomp_text::Page;

/// How a column is laid out.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its title, which may share the line of the section's.
    pub title: &'static str,
    /// The side on which its texts are padded.
    pub align: Align,
    /// How it gives up room.
    pub fit: Fit,
}

/// The side on which text is padded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Texts begin in one column.
    Left,
    /// Texts end in one column.
    Right,
}

/// How a column may give up room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// Stays as it is.
    Fixed,
    /// May lose the ends of its texts down to this many characters.
    CutEnd(usize),
    /// May lose the beginnings of its texts: of a path, the end tells most.
    CutStart(usize),
    /// May be left out; the column of the smallest number first.
    Drop(u8),
}

/// A table under a section's title.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

/// Spaces between columns, and before the first.
const GAP: usize = 2;
/// The fewest characters of a text when no column is left to leave out.
const DESPERATE: usize = 10;

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: &[Column]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row; it has a text for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// Whether the table has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The heading lines (title and column titles) and the rows. No line is wider than `width`, as
    /// long as the fixed columns leave room.
    #[must_use]
    pub fn layout(&self, title: &str, width: usize) -> (Vec<String>, Vec<String>) {
        let mut widths = self.fitting_widths(width);
        self.widen_for(title, &mut widths, width);
        let rows = self.rows.iter().map(|row| self.line(row, &widths)).collect();
        let titles: Vec<String> = self.columns.iter().map(|column| column.title.into()).collect();
        let titles = self.line(&titles, &widths);
        let free = titles.chars().take_while(|character| *character == ' ').count();
        let heading = if titles.trim().is_empty() {
            vec![title.to_owned()]
        } else if title.chars().count() + GAP <= free {
            let rest: String = titles.chars().skip(title.chars().count()).collect();
            vec![format!("{title}{rest}")]
        } else {
            vec![title.to_owned(), titles]
        };
        (heading, rows)
    }

    /// The width of each column, `None` for those left out.
    fn fitting_widths(&self, width: usize) -> Vec<Option<usize>> {
        let natural = |index: usize| {
            let cells = self.rows.iter().map(|row| row[index].chars().count()).max().unwrap_or(0);
            // A column that is empty in every row says nothing.
            if cells == 0 {
                None
            } else {
                Some(cells.max(self.columns[index].title.chars().count()))
            }
        };
        let mut unshortened: Vec<Option<usize>> = (0..self.columns.len()).map(natural).collect();
        loop {
            let widths = self.shortened(&unshortened, width, usize::MAX);
            if total(&widths) <= width {
                return widths;
            }
            if !self.drop_one(&mut unshortened) {
                return self.shortened(&unshortened, width, DESPERATE);
            }
        }
    }

    /// Narrows the columns that may be narrowed, until the row fits or no column can give more:
    /// texts keep the characters their column asks for, or `at_most` if that is less.
    fn shortened(
        &self,
        natural: &[Option<usize>],
        width: usize,
        at_most: usize,
    ) -> Vec<Option<usize>> {
        let mut widths = natural.to_vec();
        let room = |index: usize, width: usize| match self.columns[index].fit {
            Fit::CutEnd(least) | Fit::CutStart(least) => width.saturating_sub(least.min(at_most)),
            Fit::Fixed | Fit::Drop(_) => 0,
        };
        while total(&widths) > width {
            let excess = total(&widths) - width;
            let most = (0..widths.len())
                .filter_map(|index| Some((room(index, widths[index]?), index)))
                .max_by_key(|(room, index)| (*room, usize::MAX - index));
            let Some((room, index)) = most.filter(|(room, _)| *room > 0) else { break };
            // Half of the excess at a time: other columns with as much room have to give, too.
            let step = excess.div_ceil(2).min(room);
            widths[index] = widths[index].map(|width| width - step);
        }
        widths
    }

    /// Widens the column before the first one with a title, so that the section's title fits before
    /// that column, if there is room.
    fn widen_for(&self, title: &str, widths: &mut [Option<usize>], width: usize) {
        let titled =
            |index: &usize| widths[*index].is_some() && !self.columns[*index].title.is_empty();
        let Some(first) = (0..widths.len()).find(titled) else { return };
        let before: usize = total(&widths[..first]) + GAP;
        let padding = match self.columns[first].align {
            Align::Left => 0,
            Align::Right => {
                widths[first].map_or(0, |width| width - self.columns[first].title.chars().count())
            }
        };
        let missing = (title.chars().count() + GAP).saturating_sub(before + padding);
        let last = widths[..first].iter().rposition(Option::is_some);
        if let Some(last) = last.filter(|_| total(widths) + missing <= width) {
            widths[last] = widths[last].map(|width| width + missing);
        }
    }

    fn drop_one(&self, widths: &mut [Option<usize>]) -> bool {
        let candidate = (0..widths.len())
            .filter(|&index| widths[index].is_some())
            .filter_map(|index| match self.columns[index].fit {
                Fit::Drop(order) => Some((order, index)),
                _ => None,
            })
            .min();
        match candidate {
            Some((_, index)) => {
                widths[index] = None;
                true
            }
            None => false,
        }
    }

    fn line(&self, cells: &[String], widths: &[Option<usize>]) -> String {
        let mut line = String::new();
        for ((cell, column), width) in cells.iter().zip(&self.columns).zip(widths) {
            let Some(width) = *width else { continue };
            let text = match column.fit {
                Fit::CutStart(_) => cut_start(cell, width),
                _ => cut_end(cell, width),
            };
            line.extend(std::iter::repeat_n(' ', GAP));
            match column.align {
                Align::Left => line.push_str(&format!("{text:<width$}")),
                Align::Right => line.push_str(&format!("{text:>width$}")),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

fn total(widths: &[Option<usize>]) -> usize {
    widths.iter().flatten().map(|column| column + GAP).sum()
}

/// The first `width` characters, the last of them `…` if something is missing.
#[must_use]
pub fn cut_end(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// The last `width` characters, the first of them `…` if something is missing.
fn cut_start(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().skip(length - width.saturating_sub(1)).collect();
    format!("…{kept}")
}

/// Writes a section that is a table.
pub fn write_table(page: &mut Page, title: &str, table: &Table) {
    let (heading, rows) = table.layout(title, page.width());
    for (number, line) in heading.iter().enumerate() {
        if number == 0 {
            page.heading(line);
        } else {
            page.line(line);
        }
    }
    for row in rows {
        page.line(&row);
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, Column, Fit, Table};

    fn table() -> Table {
        let column = |title, align, fit| Column { title, align, fit };
        let mut table = Table::new(&[
            column("", Align::Left, Fit::CutEnd(6)),
            column("", Align::Left, Fit::CutStart(6)),
            column("wall", Align::Right, Fit::Fixed),
            column("mostly", Align::Left, Fit::Drop(0)),
        ]);
        table.row(
            ["relax_everything", "solver.c:118", "1.20 s", "imbalance"].map(Into::into).into(),
        );
        table.row(["sum", "s.c:7", "10.00 ms", ""].map(Into::into).into());
        table
    }

    #[test]
    fn with_room_nothing_is_cut_and_the_title_shares_its_line() {
        let (heading, rows) = table().layout("Regions", 80);
        assert_eq!(heading, ["Regions                               wall  mostly"]);
        assert_eq!(
            rows,
            [
                "  relax_everything  solver.c:118    1.20 s  imbalance",
                "  sum               s.c:7         10.00 ms"
            ]
        );
    }

    #[test]
    fn without_room_texts_are_cut_and_columns_left_out() {
        for width in 30..60 {
            let (heading, rows) = table().layout("Regions", width);
            for line in heading.iter().chain(&rows) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
        let (_, rows) = table().layout("Regions", 30);
        assert_eq!(rows, ["  relax_e…  …r.c:118    1.20 s", "  sum       s.c:7     10.00 ms"]);
    }

    #[test]
    fn a_long_title_widens_the_table_or_has_a_line_of_its_own() {
        let title = "Regions, by what could be won in this run";
        let (heading, rows) = table().layout(title, 80);
        assert_eq!(heading, [format!("{title}  wall  mostly")]);
        assert_eq!(rows[0].find("1.20 s"), heading[0].find("wall").map(|wall| wall - 2));
        assert_eq!(table().layout(title, 54).0.len(), 2);
    }
}
