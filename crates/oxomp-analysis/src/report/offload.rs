//! Constructs for devices and their transfers: tables, and advice on small kernels, small transfers
//! and waiting.

use super::names::Names;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{bandwidth, bytes, count, percent, plural, share, time};
use crate::summary::{RepeatedTransfer, Summary, TargetConstruct, Transfer, Unfinished};
use oxomp_text::{Page, glued};

/// Rows of each table.
const SHOWN: usize = 5;
/// Share of the recorded time below which a construct, or a transfer, is not worth a line.
const WORTH_A_LINE: f64 = 0.001;
/// The time of kernels shorter than this is mostly what it takes to start them.
const SHORT_KERNEL_NS: u64 = 20_000;
/// From this number on, kernels or transfers are many.
const OFTEN: u64 = 1_000;
/// A construct that takes less time is not worth a task of its own.
const WORTH_A_TASK_NS: u64 = 100_000;
/// Share of a construct's time with work on the host from which on the two overlap.
const FAIR_OVERLAP: f64 = 0.2;

const COLUMNS: [Column; 11] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(13) },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: DEVICE, align: Align::Right, fit: Fit::Fixed },
    Column { title: "calls", align: Align::Right, fit: Fit::Drop(5) },
    Column { title: "time", align: Align::Right, fit: Fit::Fixed },
    Column { title: "mean", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "kernels", align: Align::Right, fit: Fit::Drop(6) },
    Column { title: "to device", align: Align::Right, fit: Fit::Drop(6) },
    Column { title: "from device", align: Align::Right, fit: Fit::Drop(6) },
    Column { title: "other", align: Align::Right, fit: Fit::Drop(3) },
    Column { title: "teams", align: Align::Right, fit: Fit::Drop(1) },
];

/// Title of the column for the device's number.
const DEVICE: &str = "device";

const TRANSFER_COLUMNS: [Column; 8] = [
    Column { title: "", align: Align::Left, fit: Fit::Fixed },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "count", align: Align::Right, fit: Fit::Fixed },
    Column { title: "bytes", align: Align::Right, fit: Fit::Fixed },
    Column { title: "time", align: Align::Right, fit: Fit::Fixed },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "bandwidth", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "≤ 64 KiB", align: Align::Right, fit: Fit::Drop(1) },
];

const REPEATED_COLUMNS: [Column; 7] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(16) },
    Column { title: "size", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "", align: Align::Left, fit: Fit::Fixed },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "again", align: Align::Right, fit: Fit::Fixed },
    Column { title: "bytes", align: Align::Right, fit: Fit::Fixed },
    Column { title: "time ≤", align: Align::Right, fit: Fit::Fixed },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let offload = &summary.offload;
    if offload.is_empty() {
        return;
    }
    write_constructs(page, summary, names);
    write_overlap(page, summary);
    write_transfers(page, summary, names);
    write_repeated(page, summary, names);
}

fn is_worth_a_line(ns: Option<u64>, summary: &Summary) -> bool {
    // What has no time may be anything.
    ns.is_none_or(|ns| share(ns, summary.header.recorded_ns) >= WORTH_A_LINE)
}

fn write_constructs(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let all = &summary.offload.constructs;
    let worth = |one: &&TargetConstruct| {
        one.unfinished.is_some() || is_worth_a_line(Some(one.time_ns), summary)
    };
    let devices = all.iter().any(|one| one.device != Some(0));
    let columns = COLUMNS.into_iter().filter(|column| devices || column.title != DEVICE);
    let mut table = Table::new(&columns.collect::<Vec<_>>());
    for one in all.iter().filter(worth).take(SHOWN) {
        let part = |part: Option<u64>| match part {
            Some(0) | None => String::new(),
            Some(ns) => time(ns),
        };
        let mut cells = vec![one.kind.name().to_owned(), names.compact(one.site)];
        cells.extend(devices.then(|| device(one.device)));
        cells.extend([
            count(one.calls),
            time(one.time_ns),
            time(one.mean_ns()),
            part(one.parts.map(|parts| parts.kernel_ns)),
            part(one.parts.map(|parts| parts.to_ns)),
            part(one.parts.map(|parts| parts.from_ns)),
            part(one.parts.map(|parts| parts.other_ns)),
            teams(one),
        ]);
        table.row(cells);
    }
    if !table.is_empty() {
        write_table(page, "Target constructs, by time", &table);
    }
    for one in all.iter().filter(worth) {
        if let Some(text) = unfinished_calls(one) {
            let construct = format!("{} {}", construct_name(one), names.compact(one.site));
            page.paragraph(&format!("  {construct}: {text}"), 4);
        }
    }
    let little: Vec<&TargetConstruct> = all.iter().filter(|one| !worth(one)).collect();
    if !little.is_empty() {
        let total = little.iter().map(|one| one.time_ns).sum();
        let places = plural(little.len() as u64, "target construct");
        let line = format!("{places} with little time: {}", time(total));
        if table.is_empty() {
            page.line("");
            page.paragraph(&line, 2);
        } else {
            page.paragraph(&format!("  {line}"), 4);
        }
    }
}

/// The executions of a construct that had not ended when the recording did, in words.
#[must_use]
pub fn unfinished_calls(one: &TargetConstruct) -> Option<String> {
    let Unfinished { calls, in_kernel, longest_ns } = one.unfinished?;
    let time = time(longest_ns);
    Some(match (calls, in_kernel) {
        (1, 0) => format!("not finished: it was under way for {time} when the recording ended"),
        (1, _) => {
            format!(
                "not finished: it was under way for {time} when the recording ended, in a kernel"
            )
        }
        (calls, in_kernel) => format!(
            "{} of its calls are not finished: the longest was under way for {time} when the \
             recording ended; in kernels {}",
            count(calls),
            count(in_kernel),
        ),
    })
}

/// The device in words: by its number, or as the host.
fn device(number: Option<u32>) -> String {
    number.map_or_else(|| "host".to_owned(), |number| number.to_string())
}

/// The teams that the kernels of a construct were asked to have; empty if the runtime chose.
fn teams(one: &TargetConstruct) -> String {
    match one.teams {
        (0, 0) => String::new(),
        (least, most) if least == most => count(most.into()),
        (0, most) => format!("≤ {}", count(most.into())),
        (least, most) => format!("{}–{}", count(least.into()), count(most.into())),
    }
}

/// What the host did during the constructs. Where the constructs take little, that says nothing.
fn write_overlap(page: &mut Page, summary: &Summary) {
    let Some(overlap) = summary.offload.overlap else { return };
    if !is_worth_a_line(Some(overlap.constructs_ns), summary) {
        return;
    }
    let alone = overlap.constructs_ns.saturating_sub(overlap.both_ns);
    let line = format!(
        "  {}a target construct was under way for {}: in {} of that time threads of the host worked \
         beside it, in {} none did; between two they worked for {}",
        if summary.offload.is_recorded() { "" } else { "as far as events were recorded, " },
        time(overlap.constructs_ns),
        glued(&percent(share(overlap.both_ns, overlap.constructs_ns))),
        glued(&time(alone)),
        glued(&time(overlap.host_ns)),
    );
    page.paragraph(&line, 4);
}

fn write_transfers(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let all = summary.offload.transfers.iter();
    let mut table = Table::new(&TRANSFER_COLUMNS);
    for one in all.filter(|one| is_worth_a_line(one.time_ns, summary)).take(SHOWN) {
        let known = |ns: Option<u64>| ns.map_or_else(String::new, time);
        table.row(vec![
            one.direction.name().to_owned(),
            names.compact(one.site),
            count(one.count),
            bytes(one.bytes),
            known(one.time_ns),
            known(one.longest_ns),
            one.bandwidth().map_or_else(String::new, bandwidth),
            small(one),
        ]);
    }
    if !table.is_empty() {
        write_table(page, "Transfers", &table);
    }
}

/// The transfers that are so small that starting them takes their time: how many, and how long
/// each.
fn small(one: &Transfer) -> String {
    match one.small_ns {
        _ if one.small == 0 => String::new(),
        Some(ns) => format!("{} of {}", count(one.small), time(ns / one.small)),
        None => count(one.small),
    }
}

fn write_repeated(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let all = summary.offload.repeated.iter();
    let mut table = Table::new(&REPEATED_COLUMNS);
    for one in all.filter(|one| is_worth_a_line(one.time_ns, summary)).take(SHOWN) {
        table.row(vec![
            data_name(one),
            bytes(one.size),
            one.direction.name().to_owned(),
            names.compact(one.site),
            count(one.count),
            bytes(one.bytes),
            one.time_ns.map_or_else(String::new, time),
        ]);
    }
    if !table.is_empty() {
        let title = "Copied again: saved by target data if the host does not need it";
        write_table(page, title, &table);
    }
}

/// The data of a transfer: the variable, else the address on the host.
#[must_use]
pub fn data_name(one: &RepeatedTransfer) -> String {
    match &one.variable {
        Some(name) => name.clone(),
        None if one.address == 0 => "(many)".to_owned(),
        None => format!("{:#x}", one.address),
    }
}

/// A construct in words, as `target on the host`.
#[must_use]
pub fn construct_name(one: &TargetConstruct) -> String {
    match one.device {
        Some(0) => one.kind.name().to_owned(),
        Some(number) => format!("{} on device {number}", one.kind.name()),
        None => format!("{} on the host", one.kind.name()),
    }
}

/// Changes of constructs and transfers, each with the most that it could win, ns.
pub(super) fn advices(summary: &Summary, names: Names<'_>) -> Vec<(u64, String)> {
    let constructs = &summary.offload.constructs;
    let mut advices: Vec<(u64, String)> =
        constructs.iter().filter_map(|one| against_short_kernels(one, names)).collect();
    advices.extend(
        summary.offload.transfers.iter().filter_map(|one| against_small(one, summary, names)),
    );
    advices.extend(constructs.iter().filter_map(|one| against_waiting(one, summary, names)));
    advices
}

/// Fewer kernels, where starting them takes most of their time. What they copy is another matter.
fn against_short_kernels(one: &TargetConstruct, names: Names<'_>) -> Option<(u64, String)> {
    let (parts, mean) = (one.parts?, one.mean_kernel_ns()?);
    if mean >= SHORT_KERNEL_NS || one.kernels < OFTEN {
        return None;
    }
    let copies = parts.to_ns.saturating_add(parts.from_ns);
    let text = format!(
        "{}  {} of {} each, of which starting them is most: more work in each (collapse, several \
         loops in one), or if(target: ...) for small sizes",
        names.compact(one.site),
        plural(one.kernels, "kernel"),
        time(mean),
    );
    Some((one.time_ns.saturating_sub(copies), text))
}

/// Fewer transfers, where starting them takes most of their time. Repeated transfers have an advice
/// of their own.
fn against_small(one: &Transfer, summary: &Summary, names: Names<'_>) -> Option<(u64, String)> {
    let small_ns = one.small_ns.filter(|_| one.small >= OFTEN)?;
    let again = summary.offload.repeated.iter();
    let again = again.filter(|two| {
        (two.site, two.direction) == (one.site, one.direction) && two.size <= Transfer::SMALL_BYTES
    });
    let saved: u64 = again.filter_map(|two| two.time_ns).fold(0, u64::saturating_add);
    let text = format!(
        "{}  {} {} of {} each: one for all of it, by data that lie side by side, or firstprivate",
        names.compact(one.site),
        plural(one.small, "transfer"),
        one.direction.name(),
        bytes(one.small_bytes / one.small.max(1)),
    );
    Some((small_ns.saturating_sub(saved), text))
}

/// Work of the host beside the device, where the one waits for the other. The gain is the shorter
/// of the two times at most.
fn against_waiting(
    one: &TargetConstruct,
    summary: &Summary,
    names: Names<'_>,
) -> Option<(u64, String)> {
    let beside = one.beside.filter(|beside| beside.recorded_ns > 0)?;
    let overlap = summary.offload.overlap?;
    let is_fair = share(beside.worked_ns, beside.recorded_ns) >= FAIR_OVERLAP;
    if is_fair || !one.kind.waits() || one.mean_ns() < WORTH_A_TASK_NS {
        return None;
    }
    let gain = one.alone_ns()?.min(overlap.host_ns);
    let text = format!(
        "{}  the host waits {} for the device: nowait, if the host's own work between the \
         constructs ({}) need not come before or after",
        names.compact(one.site),
        time(one.alone_ns()?),
        time(overlap.host_ns),
    );
    Some((gain, text))
}
