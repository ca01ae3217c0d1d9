//! The tables of constructs for devices, of transfers, and of data that were copied again.

use oxomp_analysis::Analysis;
use oxomp_analysis::report::data_name;

use super::rows::{Rows, known, place, table, two};

pub(super) fn constructs(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, [""];
        for it in &analysis.summary.offload.constructs => place(analysis, it.site);
        "kind": it.kind.name(),
        "device": known(it.device),
        "calls": it.calls,
        "time_ns": it.time_ns,
        "longest_ns": it.longest_ns,
        "kernels": it.kernels,
        "teams_min": it.teams.0,
        "teams_max": it.teams.1,
        "kernel_ns": known(it.parts.map(|parts| parts.kernel_ns)),
        "longest_kernel_ns": known(it.parts.map(|parts| parts.longest_kernel_ns)),
        "to_ns": known(it.parts.map(|parts| parts.to_ns)),
        "from_ns": known(it.parts.map(|parts| parts.from_ns)),
        "other_ns": known(it.parts.map(|parts| parts.other_ns)),
        "to_bytes": it.to_bytes,
        "from_bytes": it.from_bytes,
        "recorded_ns": known(it.beside.map(|beside| beside.recorded_ns)),
        "host_worked_ns": known(it.beside.map(|beside| beside.worked_ns)),
        "unfinished": it.unfinished.unwrap_or_default().calls,
        "unfinished_in_kernel": it.unfinished.unwrap_or_default().in_kernel,
        "unfinished_longest_ns": it.unfinished.unwrap_or_default().longest_ns,
    }
}

pub(super) fn transfers(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, [""];
        for it in &analysis.summary.offload.transfers => place(analysis, it.site);
        "direction": it.direction.name(),
        "device": known(it.device),
        "count": it.count,
        "bytes": it.bytes,
        "time_ns": known(it.time_ns),
        "longest_ns": known(it.longest_ns),
        "small": it.small,
        "small_bytes": it.small_bytes,
        "small_ns": known(it.small_ns),
        "bandwidth": known(it.bandwidth()),
    }
}

pub(super) fn repeated(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["", "other"];
        for it in &analysis.summary.offload.repeated => two(analysis, it.site, it.other);
        "direction": it.direction.name(),
        "device": known(it.device),
        "data": data_name(it),
        "size": it.size,
        "count": it.count,
        "bytes": it.bytes,
        "time_ns": known(it.time_ns),
    }
}
