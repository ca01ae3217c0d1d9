//! The tables of constructs for devices, of transfers, and of data that were copied again.

use oxomp_analysis::Analysis;
use oxomp_analysis::report::data_name;

use super::rows::{Rows, heading, known, place, row, two};

pub(super) fn constructs(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "kind",
        "device",
        "calls",
        "time_ns",
        "longest_ns",
        "kernels",
        "teams_min",
        "teams_max",
        "kernel_ns",
        "longest_kernel_ns",
        "to_ns",
        "from_ns",
        "other_ns",
        "to_bytes",
        "from_bytes",
        "recorded_ns",
        "host_worked_ns",
        "unfinished",
        "unfinished_in_kernel",
        "unfinished_longest_ns",
    ];
    heading(rows, &[""], &names)?;
    for it in &analysis.summary.offload.constructs {
        let (parts, beside) = (it.parts, it.beside);
        let unfinished = it.unfinished.unwrap_or_default();
        row!(rows; place(analysis, it.site);
            it.kind.name(), known(it.device), it.calls, it.time_ns, it.longest_ns, it.kernels,
            it.teams.0, it.teams.1, known(parts.map(|parts| parts.kernel_ns)),
            known(parts.map(|parts| parts.longest_kernel_ns)),
            known(parts.map(|parts| parts.to_ns)), known(parts.map(|parts| parts.from_ns)),
            known(parts.map(|parts| parts.other_ns)), it.to_bytes, it.from_bytes,
            known(beside.map(|beside| beside.recorded_ns)),
            known(beside.map(|beside| beside.worked_ns)), unfinished.calls, unfinished.in_kernel,
            unfinished.longest_ns)?;
    }
    Ok(())
}

pub(super) fn transfers(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "direction",
        "device",
        "count",
        "bytes",
        "time_ns",
        "longest_ns",
        "small",
        "small_bytes",
        "small_ns",
        "bandwidth",
    ];
    heading(rows, &[""], &names)?;
    for it in &analysis.summary.offload.transfers {
        row!(rows; place(analysis, it.site);
            it.direction.name(), known(it.device), it.count, it.bytes, known(it.time_ns),
            known(it.longest_ns), it.small, it.small_bytes, known(it.small_ns),
            known(it.bandwidth()))?;
    }
    Ok(())
}

pub(super) fn repeated(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = ["direction", "device", "data", "size", "count", "bytes", "time_ns"];
    heading(rows, &["", "other"], &names)?;
    for it in &analysis.summary.offload.repeated {
        row!(rows; two(analysis, it.site, it.other);
            it.direction.name(), known(it.device), data_name(it), it.size, it.count, it.bytes,
            known(it.time_ns))?;
    }
    Ok(())
}
