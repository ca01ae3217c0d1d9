//! The tables of several processes of one run. A process is named by its position in
//! `processes.csv`, from 0.

use std::io::{self, Write};

use oxomp_analysis::ranks::{Job, MpiSums};
use oxomp_analysis::summary::Class;
use oxomp_analysis::symbols::Place;

use super::rows::{Rows, known, row, source, table, visible, writer};

/// A table and its file's name.
#[derive(Debug, Clone, Copy)]
pub struct JobTable {
    /// The name of the file.
    pub file: &'static str,
    fill: fn(&Job, &[String], &mut Rows<'_>) -> csv::Result<()>,
}

/// Every table of several processes.
const TABLES: [JobTable; 5] = [
    JobTable { file: "processes.csv", fill: processes },
    JobTable { file: "regions.csv", fill: regions },
    JobTable { file: "mpi.csv", fill: mpi },
    JobTable { file: "mpi_waits.csv", fill: waits },
    JobTable { file: "target_constructs.csv", fill: targets },
];

/// The tables that `job` fills: that of target constructs only where a process executed one, and
/// that of waits for other ranks only where they were recorded.
pub fn job_tables(job: &Job) -> impl Iterator<Item = &'static JobTable> {
    TABLES.iter().filter(|table| match table.file {
        "target_constructs.csv" => !job.targets.is_empty(),
        "mpi_waits.csv" => job.waits.is_some(),
        _ => true,
    })
}

impl JobTable {
    /// Writes the table of `job`; `recordings` are the names of the processes' files.
    ///
    /// # Errors
    ///
    /// The errors of `out`.
    pub fn write(&self, job: &Job, recordings: &[String], out: &mut dyn Write) -> io::Result<()> {
        let mut rows = writer(out);
        (self.fill)(job, recordings, &mut rows).map_err(io::Error::from)?;
        rows.flush()
    }
}

fn processes(job: &Job, recordings: &[String], rows: &mut Rows<'_>) -> csv::Result<()> {
    let facts = [
        "process",
        "rank",
        "pid",
        "hostname",
        "recording",
        "command",
        "wall_ns",
        "recorded_ns",
        "cpu_ns",
        "threads",
        "max_team",
        "allowed_cpus",
        "truncated",
        "damaged",
        "in_regions_ns",
        "outside_ns",
        "mpi_ns",
        "total_ns",
    ];
    rows.write_record(facts.iter().chain(&Class::ALL.map(Class::key_ns)))?;
    for (position, one) in job.processes.iter().enumerate() {
        let facts = [
            position.to_string(),
            known(one.rank.as_ref().map(|rank| rank.number)),
            one.pid.to_string(),
            one.hostname.clone(),
            known(recordings.get(position)),
            one.command.join(" "),
            one.wall_ns.to_string(),
            one.recorded_ns.to_string(),
            known(one.cpu_ns),
            one.threads.to_string(),
            one.max_team.to_string(),
            one.allowed_cpus.to_string(),
            one.truncated.to_string(),
            one.damaged.to_string(),
            one.in_regions_ns.to_string(),
            one.outside_ns.to_string(),
            known(one.mpi_ns()),
            one.total_ns.to_string(),
        ];
        let classes = one.by_class.map(|ns| ns.to_string());
        rows.write_record(facts.iter().chain(&classes).map(|field| visible(field)))?;
    }
    Ok(())
}

fn regions(job: &Job, _: &[String], rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, [""];
        for it in &job.regions => fields(it.place.as_ref());
        "processes": it.processes,
        "calls": it.calls,
        "wall_ns": it.wall_ns,
        "max_ns": it.max_ns,
        "slowest_process": it.slowest,
        "gain_ns": it.gain_ns,
    }
}

/// The fields of a place: function, file, line, and the place in a few characters.
fn fields(place: Option<&Place>) -> [String; 4] {
    let Some(place) = place else { return Default::default() };
    let [file, line] = source(place.line.as_ref());
    [place.function.clone().unwrap_or_default(), file, line, place.short()]
}

fn targets(job: &Job, _: &[String], rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, [""];
        for it in &job.targets => fields(it.place.as_ref());
        "kind": it.kind.name(),
        "processes": it.processes,
        "calls": it.calls,
        "unfinished": it.unfinished,
        "time_ns": it.time_ns,
        "max_ns": it.max_ns,
        "slowest_process": it.slowest,
        "kernels": it.kernels,
        "kernel_ns": known(it.kernel_ns),
        "to_bytes": it.to_bytes,
        "from_bytes": it.from_bytes,
    }
}

fn mpi(job: &Job, _: &[String], rows: &mut Rows<'_>) -> csv::Result<()> {
    rows.write_record([
        "function",
        "share",
        "most_in_process",
        "share_there",
        "kind",
        "calls",
        "time_ns",
        "first_thread_ns",
        "longest_ns",
        "bytes",
        "wait_ns",
    ])?;
    for call in &job.mpi {
        let of = |number: fn(&MpiSums) -> u64| known(call.sums.as_ref().map(number));
        row!(
            rows; [&call.name];
            call.share, call.largest_in, call.largest_share,
            known(call.sums.map(|sums| sums.kind.name())),
            of(|sums| sums.calls), of(|sums| sums.time_ns), of(|sums| sums.first_thread_ns),
            of(|sums| sums.longest_ns), of(|sums| sums.bytes),
            known(call.wait_ns)
        )?;
    }
    Ok(())
}

fn waits(job: &Job, _: &[String], rows: &mut Rows<'_>) -> csv::Result<()> {
    let waits = job.waits.as_ref().map_or(&[][..], |waits| &waits.rows);
    table! {
        rows, ["region_"];
        for it in waits => fields(it.region.as_ref());
        "function": it.function,
        "cause": it.cause.name(),
        "calls": it.calls,
        "wait_ns": it.wait_ns,
        "longest_ns": it.longest_ns,
        "most_in_process": it.waiting,
        "late_process": it.late,
        "late_ns": it.late_ns,
    }
}
