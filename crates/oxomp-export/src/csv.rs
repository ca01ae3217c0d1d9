//! The numbers of a run as tables for spreadsheets and data frames: CSV as RFC 4180 has it, with
//! one line of names first. Times are in nanoseconds, named `…_ns`, counted from the start of the
//! process; an unknown value is an empty field. Names are input of others: each control character
//! in them is replaced by U+FFFD, as in the text summary.

use std::io::{self, Write};

use oxomp_analysis::Analysis;
use oxomp_analysis::report::{bounds_hold, spare_ns};
use oxomp_analysis::summary::{Class, Distance, HotCode};

/// A table and its file's name.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// The name of the file.
    pub file: &'static str,
    fill: fn(&Analysis, &mut Rows<'_>) -> csv::Result<()>,
}

/// Every table.
const TABLES: [Table; 19] = [
    Table { file: "regions.csv", fill: regions },
    Table { file: "threads.csv", fill: threads },
    Table { file: "tasks.csv", fill: tasks::constructs },
    Table { file: "chains.csv", fill: tasks::chains },
    Table { file: "tasking.csv", fill: tasks::tasking },
    Table { file: "loops.csv", fill: loops },
    Table { file: "locks.csv", fill: locks },
    Table { file: "barriers.csv", fill: barriers },
    Table { file: "unreached.csv", fill: unreached },
    Table { file: "atomics.csv", fill: memory::atomics },
    Table { file: "spins.csv", fill: memory::spins },
    Table { file: "shared_lines.csv", fill: memory::shared_lines },
    Table { file: "serial.csv", fill: serial },
    Table { file: "blocked.csv", fill: blocked },
    Table { file: "hot_code.csv", fill: hot_code },
    Table { file: "samples.csv", fill: samples },
    Table { file: "target_constructs.csv", fill: offload::constructs },
    Table { file: "transfers.csv", fill: offload::transfers },
    Table { file: "repeated_transfers.csv", fill: offload::repeated },
];

/// The tables of programs that use devices, from this one on.
const OF_DEVICES: usize = 16;

/// The tables that `analysis` fills: those on devices only where the program used one.
pub fn tables(analysis: &Analysis) -> impl Iterator<Item = &'static Table> {
    let without = if analysis.summary.offload.is_empty() { OF_DEVICES } else { TABLES.len() };
    TABLES[..without].iter()
}

impl Table {
    /// Writes the table of `analysis`.
    ///
    /// # Errors
    ///
    /// The errors of `out`.
    pub fn write(&self, analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = writer(out);
        (self.fill)(analysis, &mut rows).map_err(io::Error::from)?;
        rows.flush()
    }
}

mod job;
mod memory;
mod offload;
mod rows;
mod tasks;

pub use job::{JobTable, job_tables};

use rows::{Rows, class_column, heading, known, place, row, two, writer};

fn regions(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "calls",
        "wall_ns",
        "team_min",
        "team_max",
        "serialized",
        "nested",
        "load_balance",
        "spread",
        "useful_ns",
        "gain_is_bound",
        "gain_ns",
        "gain_imbalance_ns",
        "gain_barrier_ns",
        "gain_mutex_ns",
        "gain_taskwait_ns",
        "gain_starved_ns",
        "gain_dispatch_ns",
        "gain_scheduler_ns",
        "gain_blocked_ns",
        "gain_fork_join_ns",
        "spare_ns",
    ];
    heading(rows, &[""], &names)?;
    let are_bounds = bounds_hold(&analysis.summary);
    for it in &analysis.summary.regions {
        let gain = it.gain;
        row!(rows; place(analysis, it.site);
            it.calls, it.wall_ns, it.team.0, it.team.1, it.serialized, it.nested,
            known(it.load_balance), known(it.spread), it.useful_ns, are_bounds, gain.total_ns(),
            gain.imbalance_ns, gain.barrier_ns, gain.mutex_ns, gain.taskwait_ns, gain.starved_ns,
            gain.dispatch_ns, gain.scheduler_ns, gain.blocked_ns, gain.fork_join_ns,
            spare_ns(it, &analysis.summary))?;
    }
    Ok(())
}

fn threads(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = ["thread", "tid", "initial", "begin_ns", "end_ns"];
    let classes = Class::ALL.map(class_column);
    rows.write_record(names.iter().chain(&classes))?;
    for it in &analysis.summary.threads {
        let facts = [
            it.number.to_string(),
            it.tid.to_string(),
            it.initial.to_string(),
            it.begin_ns.to_string(),
            it.end_ns.to_string(),
        ];
        rows.write_record(facts.into_iter().chain(it.by_class.map(|ns| ns.to_string())))?;
    }
    Ok(())
}

fn loops(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "kind",
        "threads",
        "executions",
        "iterations",
        "count",
        "chunks",
        "chunk_min",
        "chunk_max",
        "time_ns",
        "dispatch_ns",
        "longest_ns",
        "quarter1_ns",
        "quarter2_ns",
        "quarter3_ns",
        "quarter4_ns",
    ];
    heading(rows, &["", "region"], &names)?;
    for it in &analysis.summary.loops {
        let [first, second, third, fourth] = it.parts_ns;
        row!(rows; two(analysis, it.site, it.region);
            it.kind.name(), it.threads, it.executions, it.iterations, it.count, it.chunks,
            it.sizes.0, it.sizes.1, it.time_ns, it.dispatch_ns, it.longest_ns, first, second,
            third, fourth)?;
    }
    Ok(())
}

fn locks(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "kind",
        "locks",
        "acquisitions",
        "contended",
        "wait_ns",
        "max_wait_ns",
        "hold_ns",
        "max_hold_ns",
        "handoff_ns",
        "unattributed_ns",
        "counted",
        "wait_error_ns",
        "hold_error_ns",
        "gain_is_bound",
        "gain_ns",
        "blame_ns",
        "failed",
        "tested_ns",
        "spin_ns",
    ];
    heading(rows, &["", "holder"], &names)?;
    let are_bounds = bounds_hold(&analysis.summary);
    for it in &analysis.summary.mutexes {
        let holder = it.holders.first();
        row!(rows; two(analysis, it.site, holder.and_then(|holder| holder.site));
            it.kind.name(), it.locks, it.acquisitions, it.contended, it.wait_ns, it.max_wait_ns,
            it.hold_ns, it.max_hold_ns, it.handoff_ns, it.unattributed_ns, it.counted,
            it.wait_error_ns, it.hold_error_ns, are_bounds, it.gain_ns,
            known(holder.map(|holder| holder.blame_ns)), it.failed, it.tested_ns, it.spin_ns)?;
    }
    Ok(())
}

fn barriers(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = ["kind", "ends", "passes", "wait_ns", "imbalance_ns", "cost_ns", "starved_ns"];
    heading(rows, &["", "region"], &names)?;
    for it in &analysis.summary.barriers {
        row!(rows; two(analysis, it.site, it.region);
            it.kind.name(), known(it.ends.map(|work| work.name())), it.passes, it.wait_ns,
            it.imbalance_ns, it.cost_ns, it.starved_ns)?;
    }
    Ok(())
}

fn unreached(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    heading(rows, &["", "region"], &["waiting", "time_ns", "ended"])?;
    for it in &analysis.summary.unreached {
        row!(rows; two(analysis, it.site, it.region); it.waiting, it.time_ns, it.ended)?;
    }
    Ok(())
}

fn serial(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = ["count", "total_ns", "max_ns", "waited_ns", "gain_is_bound", "gain_ns"];
    heading(rows, &["after", "before"], &names)?;
    let are_bounds = bounds_hold(&analysis.summary);
    for it in &analysis.summary.serial {
        row!(rows; two(analysis, it.after, it.before);
            it.count, it.total_ns, it.max_ns, it.waited_ns, are_bounds, it.gain_ns)?;
    }
    Ok(())
}

fn blocked(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "cause",
        "calls",
        "calls_file",
        "calls_line",
        "path",
        "samples",
        "time_ns",
        "error_ns",
        "distances",
    ];
    heading(rows, &["region"], &names)?;
    for it in &analysis.summary.blocked {
        let (file, line) = match &it.line {
            Some((file, line)) => (file.as_str(), line.to_string()),
            None => Default::default(),
        };
        row!(rows; place(analysis, it.region);
            it.cause, it.function, file, line, it.path.join(" > "), it.samples, it.time_ns,
            it.error_ns, distances(&it.distances))?;
    }
    Ok(())
}

/// `-1 0: 140; 0 -1: 130; others: 4`: the steps in each loop, and how often they were met.
fn distances(all: &[Distance]) -> String {
    let one = |distance: &Distance| {
        let steps: Vec<String> = distance.steps.iter().map(i64::to_string).collect();
        let steps = if steps.is_empty() { "others".to_owned() } else { steps.join(" ") };
        format!("{steps}: {}", distance.count)
    };
    all.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A line for each function of the whole run, then for each one of the serial stretches, which are
/// named by the regions around them.
fn hot_code(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "part",
        "function",
        "file",
        "line",
        "module",
        "samples",
        "ns",
        "serial_samples",
        "library_function",
    ];
    heading(rows, &["after", "before"], &names)?;
    let Some(sampled) = &analysis.summary.sampled else { return Ok(()) };
    let mut write = |part: &str, ends: Vec<String>, code: &HotCode| {
        let (file, line) = match &code.line {
            Some((file, line)) => (file.as_str(), line.to_string()),
            None => Default::default(),
        };
        row!(rows; ends;
            part, code.function, file, line, known(code.module.as_ref()), code.samples,
            code.samples.saturating_mul(sampled.period_ns), code.serial,
            known(code.library.as_ref()))
    };
    for code in &sampled.code {
        write("run", two(analysis, None, None), code)?;
    }
    for stretch in &sampled.stretches {
        for code in &stretch.code {
            write("serial stretch", two(analysis, stretch.after, stretch.before), code)?;
        }
    }
    Ok(())
}

/// A line for each frame of the call tree that was sampled itself, with its callers from the start
/// of the program on.
fn samples(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names =
        ["function", "file", "line", "module", "own_samples", "own_ns", "total_samples", "callers"];
    rows.write_record(names)?;
    let calls = &analysis.calls;
    for node in calls.nodes.iter().filter(|node| node.own > 0) {
        let mut callers = Vec::new();
        let mut caller = node.caller;
        while let Some(outer) = caller.and_then(|position| calls.nodes.get(position as usize)) {
            callers.push(outer.function.as_str());
            caller = outer.caller;
        }
        callers.reverse();
        let (file, line) = match &node.line {
            Some((file, line)) => (file.clone(), line.to_string()),
            None => Default::default(),
        };
        let function = [node.function.clone(), file, line, known(node.module.as_ref())];
        row!(rows; function;
            node.own, node.own.saturating_mul(calls.period_ns), node.total, callers.join(";"))?;
    }
    Ok(())
}
