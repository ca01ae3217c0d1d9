//! The fields of a table, and the places and names in them.

use std::io::Write;

use csv::Writer;
use oxomp_analysis::Analysis;
use oxomp_analysis::report::Names;
use oxomp_analysis::summary::{Class, SiteId};

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

pub(super) use row;

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

/// The fields of a place: function, file, line, and the place as the text summary prints it.
pub(super) fn place(analysis: &Analysis, site: Option<SiteId>) -> [String; 4] {
    let names = Names { places: &analysis.places };
    let Some(place) = names.place(site) else { return Default::default() };
    let (file, line) = match &place.line {
        Some((file, line)) => (file.clone(), line.to_string()),
        None => Default::default(),
    };
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

/// The name of a class as the head of a column.
pub(super) fn class_column(class: Class) -> &'static str {
    match class {
        Class::Useful => "useful_ns",
        Class::Serial => "serial_ns",
        Class::SerialWait => "serial_wait_ns",
        Class::Blocked => "blocked_ns",
        Class::Imbalance => "imbalance_ns",
        Class::Barrier => "barrier_ns",
        Class::Mutex => "mutex_ns",
        Class::Taskwait => "taskwait_ns",
        Class::Starved => "starved_ns",
        Class::Dispatch => "dispatch_ns",
        Class::Scheduler => "scheduler_ns",
        Class::ForkJoin => "fork_join_ns",
        Class::SerialIdle => "serial_idle_ns",
        Class::SpareIdle => "spare_idle_ns",
        Class::Paused => "paused_ns",
    }
}
