//! Constructs for devices, with where their time went; transfers, and data that were copied again.

use maud::{Markup, html};
use oxomp_analysis::report::units::{bandwidth, bytes, count, percent, share, time};
use oxomp_analysis::report::{construct_name, data_name, unfinished_calls};
use oxomp_analysis::summary::{Overlap, RepeatedTransfer, TargetConstruct, Transfer};

use crate::chart::single;
use crate::definitions::term;
use crate::tables::{Cell, Column, Row, table};
use crate::view::View;

const CONSTRUCT_COLUMNS: [Column; 8] = [
    Column::text("construct"),
    Column::number("calls", "calls"),
    Column::number("time", "target-time"),
    Column::number("kernels", "kernels").dropped(1),
    Column::number("to device", "transfer").dropped(1),
    Column::number("from device", "transfer").dropped(1),
    Column::number("other", "target-other").dropped(2),
    Column::number("host works", "host-works").dropped(2),
];

const TRANSFER_COLUMNS: [Column; 6] = [
    Column::text("transfer"),
    Column::number("count", ""),
    Column::number("bytes", ""),
    Column::number("time", "transfer"),
    Column::number("bandwidth", "bandwidth"),
    Column::number("≤ 64 KiB", "small").dropped(1),
];

const REPEATED_COLUMNS: [Column; 5] = [
    Column::text("data"),
    Column::text("copied again").dropped(1),
    Column::number("times", ""),
    Column::number("bytes", ""),
    Column::number("time ≤", "again"),
];

/// The section; nothing for a program that used no device.
pub(crate) fn section(view: &View<'_>) -> Markup {
    let offload = &view.summary.offload;
    if offload.is_empty() {
        return html! {};
    }
    let most = view.limits.rows;
    let rest = |all: usize| all.saturating_sub(most);
    let constructs = offload.constructs.iter().take(most).map(|one| construct_row(view, one));
    let transfers = offload.transfers.iter().take(most).map(|one| transfer_row(view, one));
    let repeated = offload.repeated.iter().take(most).map(|one| repeated_row(view, one));
    html! {
        section #offload aria-labelledby="offload-title" {
            h2 #offload-title { "Devices" }
            p.lead {
                "Constructs for devices, by the thread that executed their host part, which waits \
                 for each kernel and transfer. "
                span data-needs-script="" { "A click opens where the time went." }
            }
            (table("Target constructs", &CONSTRUCT_COLUMNS, constructs.collect()))
            @if rest(offload.constructs.len()) > 0 { p.note { "and " (rest(offload.constructs.len())) " more" } }
            @if let Some(overlap) = offload.overlap { (beside(overlap, offload.is_recorded())) }
            @if !offload.transfers.is_empty() {
                h3 { "Transfers" }
                (table("Transfers", &TRANSFER_COLUMNS, transfers.collect()))
                @if rest(offload.transfers.len()) > 0 { p.note { "and " (rest(offload.transfers.len())) " more" } }
            }
            @if !offload.repeated.is_empty() {
                h3 { (term("again", "Copied again")) }
                p.lead {
                    "Data that were on the device, or on the host, already. An enclosing "
                    code { "target data" }
                    " saves the transfers if the host does not change the data in between, and, for \
                     those from the device, does not read them: no event tells whether it does."
                }
                (table("Copied again", &REPEATED_COLUMNS, repeated.collect()))
                @if rest(offload.repeated.len()) > 0 { p.note { "and " (rest(offload.repeated.len())) " more" } }
            }
        }
    }
}

/// What the host did during the constructs: during all of them, or, if not `all`, during the
/// recorded ones.
fn beside(overlap: Overlap, all: bool) -> Markup {
    let alone = overlap.constructs_ns.saturating_sub(overlap.both_ns);
    html! {
        p {
            @if !all { "Of constructs whose events were recorded: " }
            "A construct was under way for " (time(overlap.constructs_ns)) ": in "
            strong { (percent(share(overlap.both_ns, overlap.constructs_ns))) }
            " of that time " (term("host-works", "threads of the host worked")) " beside it, in "
            (time(alone)) " none did. Between two constructs they worked for "
            (time(overlap.host_ns)) "."
        }
    }
}

/// A number of nanoseconds that may be unknown.
fn known(ns: Option<u64>) -> Cell {
    let text = ns.filter(|ns| *ns > 0).map_or_else(String::new, time);
    Cell::number(text, ns.map_or(-1.0, |ns| ns as f64))
}

fn construct_row(view: &View<'_>, one: &TargetConstruct) -> Row {
    let (function, place) = view.columns(one.site);
    let name = construct_name(one);
    let works = one.beside.map(|beside| share(beside.worked_ns, beside.recorded_ns));
    Row {
        cells: vec![
            Cell::markup(
                html! {
                    span.place { (place) }
                    span.function {
                        (name) @if !function.is_empty() { ", " (function) }
                        @if one.unfinished.is_some() { ", not finished" }
                    }
                },
                format!("{place} {function}"),
            ),
            Cell::number(count(one.calls), one.calls as f64),
            Cell::number(time(one.time_ns), one.time_ns as f64),
            known(one.parts.map(|parts| parts.kernel_ns)),
            known(one.parts.map(|parts| parts.to_ns)),
            known(one.parts.map(|parts| parts.from_ns)),
            known(one.parts.map(|parts| parts.other_ns)),
            Cell::number(works.map_or_else(String::new, percent), works.unwrap_or(-1.0)),
        ],
        detail: Some(parts(view, one)),
    }
}

/// Where the time of a construct went.
fn parts(view: &View<'_>, one: &TargetConstruct) -> Markup {
    let row = |name: Markup, ns: u64, colour: &str| {
        html! {
            div.gain-row {
                span.name { (name) }
                (single(share(ns, one.time_ns), colour))
                span.n { (time(ns)) }
            }
        }
    };
    html! {
        p.where { code { (view.whole_place(one.site)) } }
        @if let Some(text) = unfinished_calls(one) { p { strong { (text) } } }
        p {
            (time(one.mean_ns())) " each, at most " (time(one.longest_ns)) ". "
            @if let Some(mean) = one.mean_kernel_ns() {
                (count(one.kernels)) " kernels of " (time(mean)) " each"
                @match one.teams {
                    (0, 0) => {}
                    (least, most) if least == most => { ", for which " (count(most.into())) " teams were asked" }
                    (least, most) => { ", for which " (count(least.into())) " to " (count(most.into())) " teams were asked" }
                }
                ". "
            }
            @if one.to_bytes > 0 { (bytes(one.to_bytes)) " to the device. " }
            @if one.from_bytes > 0 { (bytes(one.from_bytes)) " from the device." }
        }
        @if let Some(parts) = one.parts {
            div.gains {
                (row(term("kernels", "kernels"), parts.kernel_ns, "k-useful"))
                (row(term("transfer", "transfers to the device"), parts.to_ns, "k-mutex"))
                (row(term("transfer", "transfers from the device"), parts.from_ns, "k-taskwait"))
                (row(term("target-other", "other"), parts.other_ns, "k-barrier"))
            }
        } @else {
            p.quiet { "The runtime does not report the ends of kernels and transfers." }
        }
    }
}

fn transfer_row(view: &View<'_>, one: &Transfer) -> Row {
    let place = view.place(one.site);
    let small = match one.small_ns {
        _ if one.small == 0 => String::new(),
        Some(ns) => format!("{} of {}", count(one.small), time(ns / one.small)),
        None => count(one.small),
    };
    Row {
        cells: vec![
            Cell::markup(
                html! { span.place { (place) } span.function { (one.direction.name()) } },
                format!("{place} {}", one.direction.name()),
            ),
            Cell::number(count(one.count), one.count as f64),
            Cell::number(bytes(one.bytes), one.bytes as f64),
            known(one.time_ns),
            Cell::number(
                one.bandwidth().map_or_else(String::new, bandwidth),
                one.bandwidth().unwrap_or(-1.0),
            ),
            Cell::number(small, one.small as f64),
        ],
        detail: None,
    }
}

fn repeated_row(view: &View<'_>, one: &RepeatedTransfer) -> Row {
    let data = view.shown(&data_name(one));
    let place = view.place(one.site);
    Row {
        cells: vec![
            Cell::markup(
                html! { span.place { (data) } span.function { (bytes(one.size)) } },
                data.clone(),
            ),
            Cell::text(format!("{} at {place}", one.direction.name())),
            Cell::number(count(one.count), one.count as f64),
            Cell::number(bytes(one.bytes), one.bytes as f64),
            known(one.time_ns),
        ],
        detail: None,
    }
}
