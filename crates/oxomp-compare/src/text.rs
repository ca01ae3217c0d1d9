//! A comparison as text for a terminal.

use oxomp_analysis::report::table::{Align, Column, Fit, Table, cut_end};
use oxomp_analysis::report::units::{bytes, count, percent, plural, time};
use oxomp_analysis::report::write_table;
use oxomp_text::{Page, Style, glued};

use crate::comparison::{Change, Comparison, Gate, Row, Subject, Verdict};
use crate::construct::{Construct, Group};
use crate::contention_change::ContentionChange;
use crate::run::{RunSet, SERIAL};

/// Rows of a table; the others are counted.
const SHOWN: usize = 12;
/// Characters of a function's name that are shown in a column.
const FUNCTION_WIDTH: usize = 28;
/// Characters of a name that are shown.
const NAME_WIDTH: usize = 60;

/// The text of `comparison`; `gates` are the changes for which the command fails.
#[must_use]
pub fn to_text(comparison: &Comparison, gates: &[Gate], style: Style) -> String {
    let mut page = Page::new(style);
    header(&mut page, comparison);
    verdict(&mut page, comparison);
    whole(&mut page, comparison);
    parts(&mut page, comparison);
    constructs(&mut page, comparison);
    contention(&mut page, comparison);
    classes(&mut page, comparison);
    method(&mut page, comparison);
    let regressions = comparison.regressions(gates);
    if !regressions.is_empty() {
        let names: Vec<String> = regressions.iter().take(SHOWN).map(|row| name(row)).collect();
        page.alarm(&format!("Regression: {}", names.join("; ")), 2);
    }
    page.finish()
}

fn header(page: &mut Page, comparison: &Comparison) {
    let side = |set: &RunSet| {
        let runs = plural(set.runs.len() as u64, "run");
        format!("{} ({})", cut_end(&set.name, NAME_WIDTH), glued(&runs))
    };
    let (before, after) = (side(&comparison.before), side(&comparison.after));
    page.paragraph(&format!("before: {before}"), 2);
    page.paragraph(&format!("after:  {after}"), 2);
    for warning in &comparison.warnings {
        page.warning(warning);
    }
    for note in &comparison.conditions {
        page.alarm(&format!("NOTE: {note}"), 2);
    }
}

/// The sentence that a reader in a hurry reads.
fn verdict(page: &mut Page, comparison: &Comparison) {
    let wall = &comparison.wall.change;
    let (before, after) = (wall.before.unwrap_or_default(), wall.after.unwrap_or_default());
    let what = match wall.verdict {
        Verdict::Same => "No change of the wall time that counts",
        Verdict::Less => "Faster",
        Verdict::More => "Slower",
    };
    let mut text = format!("{what}: {} -> {} ({})", ns(before), ns(after), relative(wall, before));
    // A part that changed in the other direction is not a reason.
    let first = comparison.parts.iter().find(|row| {
        row.counts_as_change()
            && (wall.verdict == Verdict::Same || row.change.verdict == wall.verdict)
    });
    if let Some(row) = first {
        let part = format!("; most of all {}, {}", name(row), signed(row.change.by));
        text.push_str(&part);
    }
    page.line("");
    if wall.verdict == Verdict::More {
        page.alarm(&text, 2);
    } else {
        page.paragraph(&text, 2);
    }
}

const NUMBERS: [Column; 5] = [
    Column { title: "before", align: Align::Right, fit: Fit::Fixed },
    Column { title: "after", align: Align::Right, fit: Fit::Fixed },
    Column { title: "change", align: Align::Right, fit: Fit::Fixed },
    Column { title: "", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "range", align: Align::Left, fit: Fit::Drop(0) },
];

fn whole(page: &mut Page, comparison: &Comparison) {
    let mut columns = vec![Column { title: "", align: Align::Left, fit: Fit::Fixed }];
    columns.extend(NUMBERS);
    columns.push(Column { title: "", align: Align::Left, fit: Fit::Drop(2) });
    let mut table = Table::new(&columns);
    let rows = [Some(&comparison.wall), comparison.cpu.as_ref(), Some(&comparison.efficiency)];
    for row in rows.into_iter().flatten() {
        let is_ratio = row.subject == Subject::Efficiency;
        let mut cells = vec![name(row)];
        cells.extend(if is_ratio { ratios(&row.change) } else { times(&row.change) });
        cells.push(judged(row).to_owned());
        table.row(cells);
    }
    write_table(page, "Whole run", &table);
}

/// The columns that name a construct, and the numbers.
fn construct_columns() -> Vec<Column> {
    let mut columns = vec![
        Column { title: "", align: Align::Right, fit: Fit::Fixed },
        Column { title: "", align: Align::Left, fit: Fit::CutEnd(19) },
        Column { title: "", align: Align::Left, fit: Fit::Drop(2) },
        Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    ];
    columns.extend(NUMBERS);
    columns
}

fn parts(page: &mut Page, comparison: &Comparison) {
    let rows: Vec<&Row> = comparison.parts.iter().filter(|row| row.counts_as_change()).collect();
    if rows.is_empty() {
        return;
    }
    let mut table = Table::new(&construct_columns());
    for (number, row) in rows.iter().take(SHOWN).enumerate() {
        let Subject::Part(_, part) = &row.subject else { continue };
        table.row(construct_cells(number, part, row));
    }
    write_table(page, "Where the wall time changed", &table);
    more(page, &rows);
}

fn constructs(page: &mut Page, comparison: &Comparison) {
    let rows: Vec<&Row> =
        comparison.constructs.iter().filter(|row| row.counts_as_change()).collect();
    for group in Group::ALL {
        let rows: Vec<&Row> = rows.iter().copied().filter(|row| is_of(row, group)).collect();
        if rows.is_empty() {
            continue;
        }
        let mut table = Table::new(&construct_columns());
        for (number, row) in rows.iter().take(SHOWN).enumerate() {
            let kind = row.subject.construct().map_or("", |construct| construct.kind.name);
            table.row(construct_cells(number, kind, row));
        }
        let family = match group {
            Group::Region => "Regions",
            Group::Loop => "Loops and sections",
            Group::Tasks => "Tasks",
            Group::Lock => "Locks",
            Group::Barrier => "Barriers inside regions",
            Group::Target => "Target constructs",
            Group::Serial => "Serial code",
        };
        write_table(page, &format!("{family}, {}", group.quantity()), &table);
        for (number, row) in rows.iter().take(SHOWN).enumerate() {
            if let Some(facts) = other_facts(row) {
                page.aside(&format!("  {}: {facts}", number + 1), 5);
            }
        }
        more(page, &rows);
    }
    let same = comparison.constructs.len() - rows.len();
    page.line("");
    match (rows.len(), same) {
        (0, 0) => page.line("There is no construct."),
        (0, same) => {
            page.line(&format!("No change that counts in {}.", plural(same as u64, "construct")));
        }
        (_, 0) => {}
        (_, same) => {
            let same = plural(same as u64, "construct");
            page.line(&format!("{same} without a change that counts."));
        }
    }
}

fn is_of(row: &Row, group: Group) -> bool {
    row.subject.construct().is_some_and(|construct| construct.kind.group == group)
}

/// Code whose time is useful work, but which threads execute for each other's sake.
fn contention(page: &mut Page, comparison: &Comparison) {
    let changed: Vec<&ContentionChange> =
        comparison.contention.iter().filter(|one| one.verdict != Verdict::Same).collect();
    if changed.is_empty() {
        return;
    }
    page.heading("Where threads meet in memory (this counts as useful work), by samples");
    for one in changed.iter().take(SHOWN) {
        let region = one.region.1.as_ref().map_or_else(String::new, Construct::to_string);
        let shares = match one.word() {
            "new" => percent(one.after.share),
            "gone" => percent(one.before.share),
            _ => format!("{} -> {}", percent(one.before.share), percent(one.after.share)),
        };
        let text = format!(
            "  {} {}: {shares} of the samples of {region} ({}), most at {}",
            one.code.name(),
            one.word(),
            glued(&format!("± {}", percent(one.error))),
            cut_end(one.place(), NAME_WIDTH)
        );
        page.paragraph(&text, 4);
    }
    if changed.len() > SHOWN {
        page.line(&format!("  and {} more", changed.len() - SHOWN));
    }
}

fn classes(page: &mut Page, comparison: &Comparison) {
    let mut columns = vec![Column { title: "", align: Align::Left, fit: Fit::Fixed }];
    columns.extend(NUMBERS);
    columns.push(Column { title: "", align: Align::Left, fit: Fit::Drop(2) });
    let mut table = Table::new(&columns);
    for row in &comparison.classes {
        let mut cells = vec![name(row)];
        cells.extend(times(&row.change));
        cells.push(judged(row).to_owned());
        table.row(cells);
    }
    if !table.is_empty() {
        write_table(page, "Time of all threads", &table);
    }
}

/// How the changes were judged.
fn method(page: &mut Page, comparison: &Comparison) {
    let threshold = percent(comparison.threshold);
    let text = match comparison.noise.confidence() {
        Some(confidence) => format!(
            "Medians of the runs. A change counts if it is above {threshold} and 0 is outside its \
             range, which holds the true change with a confidence of {}; that of a construct, \
             above 1 % of the wall time, too.",
            percent(confidence)
        ),
        None => format!(
            "The noise is unknown: for that, three runs of each side are needed (`oxomp profile \
             --repeat 5`). Every change above {threshold} counts; that of a construct, above 1 % \
             of the wall time, too."
        ),
    };
    page.line("");
    page.aside(&text, 0);
}

/// The row's subject in words.
pub(crate) fn name(row: &Row) -> String {
    match &row.subject {
        Subject::Wall => "wall time".to_owned(),
        Subject::Cpu => "CPU time".to_owned(),
        Subject::Efficiency => "parallel efficiency".to_owned(),
        Subject::Class(class) => class.name().to_owned(),
        Subject::Construct(_) => {
            row.subject.construct().map_or_else(String::new, Construct::to_string)
        }
        Subject::Part(_, part) => {
            let of = row.subject.construct();
            let prefix = if *part == SERIAL { String::new() } else { format!("{part} of ") };
            of.map_or_else(String::new, |of| format!("{prefix}{of}"))
        }
    }
}

fn judged(row: &Row) -> &'static str {
    match (row.counts_as_change(), row.is_worse()) {
        (false, _) => "same",
        (true, true) => "worse",
        (true, false) => "better",
    }
}

fn construct_cells(number: usize, what: &str, row: &Row) -> Vec<String> {
    let construct = row.subject.construct();
    let mut cells = vec![
        (number + 1).to_string(),
        what.to_owned(),
        construct
            .map_or_else(String::new, |construct| cut_end(construct.function(), FUNCTION_WIDTH)),
        construct.map_or_else(String::new, Construct::place),
    ];
    cells.extend(times(&row.change));
    cells
}

/// Where a construct was before, how often it was executed, its schedule, its kernels and its
/// transfers: as far as they changed.
fn other_facts(row: &Row) -> Option<String> {
    let mut facts = Vec::new();
    if let Subject::Construct((Some(before), Some(after))) = &row.subject
        && (before.place() != after.place() || before.function() != after.function())
    {
        facts.push(format!("{} {} before", before.function(), before.place()).trim().to_owned());
    }
    let is_both = row.change.before.is_some() && row.change.after.is_some();
    if is_both && row.details.0 != row.details.1 {
        let text = |detail: &str| if detail.is_empty() { "none" } else { detail }.to_owned();
        facts.push(format!("{} -> {}", text(&row.details.0), text(&row.details.1)));
    }
    if is_both && row.counts.0 != row.counts.1 {
        facts.push(format!("{} times -> {}", count(row.counts.0), count(row.counts.1)));
    }
    if let (true, (Some(before), Some(after))) = (is_both, row.offloaded) {
        let mut changed = |before: u64, after: u64, shown: fn(u64) -> String, what: &str| {
            if before != after {
                facts.push(format!("{} -> {}{what}", shown(before), shown(after)));
            }
        };
        changed(before.kernels, after.kernels, count, " kernels");
        changed(before.to_bytes, after.to_bytes, bytes, " to the device");
        changed(before.from_bytes, after.from_bytes, bytes, " from the device");
    }
    (!facts.is_empty()).then(|| facts.join("; "))
}

fn times(change: &Change) -> Vec<String> {
    let value = |value: Option<f64>, missing: &str| value.map_or(missing.to_owned(), ns);
    vec![
        value(change.before, "new"),
        value(change.after, "gone"),
        signed(change.by),
        change.before.zip(change.after).map_or_else(String::new, |(b, _)| relative(change, b)),
        change.interval.map_or_else(String::new, |range| {
            format!("{} .. {}", signed(range.low), signed(range.high))
        }),
    ]
}

fn ratios(change: &Change) -> Vec<String> {
    let ratio = |value: f64| format!("{value:.3}");
    let signed = |value: f64| format!("{value:+.3}");
    vec![
        change.before.map(ratio).unwrap_or_default(),
        change.after.map(ratio).unwrap_or_default(),
        signed(change.by),
        relative(change, change.before.unwrap_or_default()),
        change.interval.map_or_else(String::new, |range| {
            format!("{} .. {}", signed(range.low), signed(range.high))
        }),
    ]
}

fn ns(value: f64) -> String {
    time(value.round().max(0.0) as u64)
}

fn signed(value: f64) -> String {
    let sign = match value.round() {
        value if value > 0.0 => "+",
        value if value < 0.0 => "-",
        _ => "",
    };
    format!("{sign}{}", ns(value.abs()))
}

/// `+14.2 %`; nothing where there was nothing before.
fn relative(change: &Change, before: f64) -> String {
    if before <= 0.0 {
        return String::new();
    }
    format!("{:+.1} %", 100.0 * change.by / before)
}

fn more(page: &mut Page, rows: &[&Row]) {
    if rows.len() > SHOWN {
        page.line(&format!("  and {} more", rows.len() - SHOWN));
    }
}
