//! The fields of a table, and the places and names in them.

use std::io::Write;

use csv::Writer;
use oxomp_analysis::Analysis;
use oxomp_analysis::report::Names;
use oxomp_analysis::summary::SiteId;

/// A table in the making.
pub(super) type Rows<'a> = Writer<&'a mut dyn Write>;

/// A line of fields, each of which is a number or a text.
macro_rules! row {
    ($rows:expr; $place:expr; $($field:expr),* $(,)?) => {{
        for field in $place {
            $rows.write_field($crate::csv::rows::visible(&field))?;
        }
        $($rows.write_field($crate::csv::rows::visible(&$field.to_string()))?;)*
        $rows.write_record(None::<&[u8]>)
    }};
}

/// A table: the places that each of its rows begins with, and its columns, each of which is a
/// name and what stands under it.
macro_rules! table {
    (
        $rows:expr, $places:expr; for $it:ident in $all:expr => $place:expr;
        $($name:literal: $field:expr),+ $(,)?
    ) => {{
        $crate::csv::rows::heading($rows, &$places, &[$($name),+])?;
        for $it in $all {
            $crate::csv::rows::row!($rows; $place; $($field),+)?;
        }
        Ok(())
    }};
}

pub(super) use {row, table};

pub(super) fn writer(out: &mut dyn Write) -> Rows<'_> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out)
}

/// A terminal that shows a table obeys no character in it.
pub(super) fn visible(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// The line of names: those of places, then others.
pub(super) fn heading(rows: &mut Rows<'_>, places: &[&str], others: &[&str]) -> csv::Result<()> {
    for place in places {
        for part in ["function", "file", "line", "place"] {
            rows.write_field(match (*place, part) {
                ("", part) => part.to_owned(),
                (place, "place") => place.to_owned(),
                (place, part) => format!("{place}_{part}"),
            })?;
        }
    }
    rows.write_record(others)
}

/// File and line of code; empty where they are not known.
pub(super) fn source(line: Option<&(String, u32)>) -> [String; 2] {
    match line {
        Some((file, line)) => [file.clone(), line.to_string()],
        None => Default::default(),
    }
}

/// The fields of a place: function, file, line, and the place as the text summary prints it.
pub(super) fn place(analysis: &Analysis, site: Option<SiteId>) -> [String; 4] {
    let names = Names { places: &analysis.places };
    let Some(place) = names.place(site) else { return Default::default() };
    let [file, line] = source(place.line.as_ref());
    [place.function.clone().unwrap_or_default(), file, line, names.compact(site)]
}

/// Two places after each other.
pub(super) fn two(
    analysis: &Analysis,
    first: Option<SiteId>,
    second: Option<SiteId>,
) -> Vec<String> {
    [place(analysis, first), place(analysis, second)].concat()
}

/// An unknown value is an empty field.
pub(super) fn known<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
