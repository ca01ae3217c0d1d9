//! The tables of explicit tasks: by construct, as chains, and how many ran at a time.

use oxomp_analysis::Analysis;

use super::rows::{Rows, heading, known, place, row, table, two};

pub(super) fn constructs(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["", "region"];
        for it in &analysis.summary.tasks => two(analysis, it.site, it.region);
        "count": it.count,
        "time_ns": it.time_ns,
        "mean_ns": it.mean_ns(),
        "median_below_ns": known(it.median_ns().filter(|bound| *bound < u64::MAX)),
        "longest_ns": it.longest_ns,
        "queued_ns": it.queued_ns,
        "stolen": it.stolen,
        "depth": it.depth,
        "between_ns": known(it.between_ns),
        "dependent": it.dependent,
        "creating_ns": known(it.creating_ns),
        "waits_ns": it.waits_ns,
        "undeferred": it.undeferred,
        "detached": it.detached,
    }
}

pub(super) fn chains(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["region"];
        for it in &analysis.summary.chains => place(analysis, it.region);
        "regions": it.regions,
        "work_ns": it.work_ns,
        "span_ns": it.span_ns,
        "wall_ns": it.wall_ns,
    }
}

/// A line for each region of which instances with tasks were recorded; `tenth1` to `tenth10` are
/// how many ran at a time.
pub(super) fn tasking(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let sums =
        ["instances", "tasks", "work_ns", "span_ns", "longest_ns", "creating_ns", "waits_ns"];
    let sums = sums.into_iter().map(str::to_owned);
    let names: Vec<String> = sums.chain((1..=10).map(|tenth| format!("tenth{tenth}"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    heading(rows, &["region", "longest"], &names)?;
    for (region, it) in analysis.summary.regions.iter().filter_map(|one| Some((one, one.tasking?)))
    {
        let tenths = it.parallelism.map(|tasks| tasks.to_string());
        let sums = [
            it.instances,
            it.tasks,
            it.work_ns,
            it.span_ns,
            it.longest_ns,
            it.creating_ns,
            it.waits_ns,
        ];
        let fields = sums.map(|sum| sum.to_string()).into_iter().chain(tenths);
        row!(rows; two(analysis, region.site, it.longest).into_iter().chain(fields);)?;
    }
    Ok(())
}
