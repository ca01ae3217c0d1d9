//! The tables of memory that threads share: cache lines, atomic updates, and loops that wait for a
//! variable.

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::{LineSharing, MemoryObject, SharedPlace};

use super::rows::{Rows, heading, known, place, row, source, table};

pub(super) fn atomics(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["region"];
        for it in &analysis.summary.atomics => place(analysis, it.region);
        "function": it.function,
        "file": source(it.line.as_ref())[0],
        "line": source(it.line.as_ref())[1],
        "instruction": it.instruction,
        "samples": it.samples,
        "region_samples": it.of,
    }
}

pub(super) fn spins(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["region"];
        for it in &analysis.summary.spins => place(analysis, it.region);
        "function": it.function,
        "file": source(it.line.as_ref())[0],
        "line": source(it.line.as_ref())[1],
        "samples": it.samples,
        "region_samples": it.of,
    }
}

/// A line for each object, with the two places that use it most.
pub(super) fn shared_lines(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "sharing",
        "distance_bytes",
        "function",
        "file",
        "line",
        "writes",
        "other_function",
        "other_file",
        "other_line",
        "other_writes",
        "variable",
        "stack_of_thread",
        "threads",
        "lines",
        "samples",
        "taken",
        "region_samples",
    ];
    heading(rows, &["region"], &names)?;
    for it in &analysis.summary.shared_lines {
        let (sharing, distance) = match it.sharing {
            LineSharing::Neighbours(distance) => ("neighbours", Some(distance)),
            LineSharing::Variable => ("variable", None),
        };
        let [function, file, line, writes] = code(it.places.first());
        let [other_function, other_file, other_line, other_writes] = code(it.places.get(1));
        let (variable, stack) = match &it.object {
            MemoryObject::Variable(name) => (name.as_str(), None),
            MemoryObject::Stack(thread) => ("", Some(*thread)),
            MemoryObject::Unknown => ("", None),
        };
        row!(rows; place(analysis, it.region);
            sharing, known(distance), function, file, line, writes, other_function, other_file,
            other_line, other_writes, variable, known(stack), it.threads, it.lines, it.samples,
            it.taken, it.of)?;
    }
    Ok(())
}

/// Function, file and line of code, and whether it writes.
fn code(place: Option<&SharedPlace>) -> [String; 4] {
    let Some(place) = place else { return Default::default() };
    let [file, line] = source(place.line.as_ref());
    [place.function.clone(), file, line, place.writes.to_string()]
}
