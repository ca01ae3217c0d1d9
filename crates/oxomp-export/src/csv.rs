//! The numbers of a run as tables for spreadsheets and data frames: CSV as RFC 4180 has it, with
//! one line of names first. Times are in nanoseconds, named `…_ns`, counted from the start of the
//! process; an unknown value is an empty field. Names are input of others: each control character
//! in them is replaced by U+FFFD, as in the text summary.

use std::io::{self, Write};

use oxomp_analysis::Analysis;
use oxomp_analysis::report::{bounds_hold, spare_ns};
use oxomp_analysis::summary::{Class, Distance, Gain, HotCode};

/// A table and its file's name.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// The name of the file.
    pub file: &'static str,
    fill: fn(&Analysis, &mut Rows<'_>) -> csv::Result<()>,
}

/// Every table.
const TABLES: [Table; 23] = [
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
    Table { file: "mpi.csv", fill: mpi },
    Table { file: "phases.csv", fill: phases },
    Table { file: "slices.csv", fill: slices },
    Table { file: "counters.csv", fill: counters },
    Table { file: "hot_code.csv", fill: hot_code },
    Table { file: "samples.csv", fill: samples },
    Table { file: "target_constructs.csv", fill: offload::constructs },
    Table { file: "transfers.csv", fill: offload::transfers },
    Table { file: "repeated_transfers.csv", fill: offload::repeated },
];

/// The tables of programs that use devices, from this one on: the last three.
const OF_DEVICES: usize = TABLES.len() - 3;

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

use rows::{Rows, heading, known, place, row, source, table, two, writer};

fn regions(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = [
        "calls",
        "wall_ns",
        "team_min",
        "team_max",
        "serialized",
        "nested",
        "under_way",
        "load_balance",
        "spread",
        "useful_ns",
        "gain_is_bound",
        "gain_ns",
    ];
    let gains = Gain::CLASSES.map(|class| format!("gain_{}", class.key_ns()));
    let names = names.into_iter().chain(gains.iter().map(String::as_str)).chain([
        "spare_ns",
        "python_function",
        "python_file",
        "python_line",
    ]);
    heading(rows, &[""], &names.collect::<Vec<_>>())?;
    let are_bounds = bounds_hold(&analysis.summary);
    for it in &analysis.summary.regions {
        let facts = [
            it.calls.to_string(),
            it.wall_ns.to_string(),
            it.team.0.to_string(),
            it.team.1.to_string(),
            it.serialized.to_string(),
            it.nested.to_string(),
            it.under_way.to_string(),
            known(it.load_balance),
            known(it.spread),
            it.useful_ns.to_string(),
            are_bounds.to_string(),
            it.gain.total_ns().to_string(),
        ];
        let gains = Gain::CLASSES.map(|class| it.gain.class_ns(class).to_string());
        let fields = place(analysis, it.site).into_iter().chain(facts).chain(gains);
        let python = it.python.first();
        row!(
            rows; fields;
            spare_ns(it, &analysis.summary),
            python.map_or("", |call| call.function.as_str()),
            python.map_or("", |call| call.file.as_str()),
            known(python.map(|call| call.line)),
        )?;
    }
    Ok(())
}

fn threads(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = ["thread", "tid", "initial", "begin_ns", "end_ns"];
    let classes = Class::ALL.map(Class::key_ns);
    rows.write_record(names.iter().chain(&classes).chain(&["mpi_ns"]))?;
    for it in &analysis.summary.threads {
        let facts = [
            it.number.to_string(),
            it.tid.to_string(),
            it.initial.to_string(),
            it.begin_ns.to_string(),
            it.end_ns.to_string(),
        ];
        let classes = it.by_class.map(|ns| ns.to_string());
        rows.write_record(facts.into_iter().chain(classes).chain([known(it.mpi_ns)]))?;
    }
    Ok(())
}

fn mpi(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["region"];
        for it in &analysis.summary.mpi => place(analysis, it.region);
        "called": it.function,
        "kind": it.kind.name(),
        "calls": it.calls,
        "time_ns": it.time_ns,
        "first_thread_ns": it.first_thread_ns,
        "longest_ns": it.longest_ns,
        "bytes": it.bytes,
    }
}

fn phases(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let names = ["path", "count", "wall_ns", "longest_ns"];
    rows.write_record(names.iter().chain(&Class::ALL.map(Class::key_ns)))?;
    for it in &analysis.summary.phases {
        let facts =
            [it.path.clone(), it.count.to_string(), it.wall_ns.to_string(), known(it.longest_ns)];
        rows.write_record(facts.into_iter().chain(it.by_class.map(|ns| ns.to_string())))?;
    }
    Ok(())
}

fn slices(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    rows.write_record(["from_ns", "to_ns"].iter().chain(&Class::ALL.map(Class::key_ns)))?;
    for it in &analysis.summary.slices {
        let facts = [it.from_ns, it.to_ns].into_iter().chain(it.by_class);
        rows.write_record(facts.map(|ns| ns.to_string()))?;
    }
    Ok(())
}

fn loops(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["", "region"];
        for it in &analysis.summary.loops => two(analysis, it.site, it.region);
        "kind": it.kind.name(),
        "threads": it.threads,
        "executions": it.executions,
        "iterations": it.iterations,
        "count": it.count,
        "chunks": it.chunks,
        "chunk_min": it.sizes.0,
        "chunk_max": it.sizes.1,
        "time_ns": it.time_ns,
        "dispatch_ns": it.dispatch_ns,
        "longest_ns": it.longest_ns,
        "quarter1_ns": it.parts_ns[0],
        "quarter2_ns": it.parts_ns[1],
        "quarter3_ns": it.parts_ns[2],
        "quarter4_ns": it.parts_ns[3],
        "dispatch_error_ns": known(it.dispatch_error_ns),
    }
}

fn locks(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let are_bounds = bounds_hold(&analysis.summary);
    table! {
        rows, ["", "holder"];
        for it in &analysis.summary.mutexes =>
            two(analysis, it.site, it.holders.first().and_then(|holder| holder.site));
        "kind": it.kind.name(),
        "locks": it.locks,
        "acquisitions": it.acquisitions,
        "contended": it.contended,
        "wait_ns": it.wait_ns,
        "max_wait_ns": it.max_wait_ns,
        "hold_ns": it.hold_ns,
        "max_hold_ns": it.max_hold_ns,
        "handoff_ns": it.handoff_ns,
        "unattributed_ns": it.unattributed_ns,
        "counted": it.counted,
        "wait_error_ns": it.wait_error_ns,
        "hold_error_ns": it.hold_error_ns,
        "gain_is_bound": are_bounds,
        "gain_ns": it.gain_ns,
        "blame_ns": known(it.holders.first().map(|holder| holder.blame_ns)),
        "failed": it.failed,
        "tested_ns": it.tested_ns,
        "spin_ns": it.spin_ns,
    }
}

fn barriers(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["", "region"];
        for it in &analysis.summary.barriers => two(analysis, it.site, it.region);
        "kind": it.kind.name(),
        "ends": known(it.ends.map(|work| work.name())),
        "passes": it.passes,
        "wait_ns": it.wait_ns,
        "imbalance_ns": it.imbalance_ns,
        "cost_ns": it.cost_ns,
        "starved_ns": it.starved_ns,
    }
}

fn unreached(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["", "region"];
        for it in &analysis.summary.unreached => two(analysis, it.site, it.region);
        "waiting": it.waiting,
        "time_ns": it.time_ns,
        "ended": it.ended,
    }
}

fn serial(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let are_bounds = bounds_hold(&analysis.summary);
    table! {
        rows, ["after", "before"];
        for it in &analysis.summary.serial => two(analysis, it.after, it.before);
        "count": it.count,
        "total_ns": it.total_ns,
        "max_ns": it.max_ns,
        "waited_ns": it.waited_ns,
        "gain_is_bound": are_bounds,
        "gain_ns": it.gain_ns,
    }
}

fn blocked(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    table! {
        rows, ["region"];
        for it in &analysis.summary.blocked => place(analysis, it.region);
        "cause": it.cause,
        "calls": it.function,
        "calls_file": source(it.line.as_ref())[0],
        "calls_line": source(it.line.as_ref())[1],
        "path": it.path.join(" > "),
        "samples": it.samples,
        "time_ns": it.time_ns,
        "error_ns": it.error_ns,
        "distances": distances(&it.distances),
    }
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

/// A line for each counter of each place.
fn counters(analysis: &Analysis, rows: &mut Rows<'_>) -> csv::Result<()> {
    let places = analysis.summary.counters.iter().flat_map(|counters| &counters.places);
    let counts = places.flat_map(|place| place.counts.iter().map(move |count| (place, count)));
    table! {
        rows, ["region"];
        for it in counts => place(analysis, it.0.region);
        "activity": it.0.activity.name(),
        "counter": it.1.counter,
        "count": it.1.count,
        "certain": it.1.certain,
        "time_ns": it.0.time_ns,
        "readings": it.0.readings,
        "mixed": it.0.mixed,
        "instructions_per_cycle": known(it.0.instructions_per_cycle),
        "cache_miss_rate": known(it.0.cache_miss_rate),
        "remote_part": known(it.0.remote_part),
        "bytes": known(it.0.bytes),
        "bytes_per_second": known(it.0.bytes_per_second),
        "bandwidth_part": known(it.0.bandwidth_part),
        "bandwidth_bound": it.0.bandwidth_bound,
    }
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
        let [file, line] = source(code.line.as_ref());
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
        let [file, line] = source(node.line.as_ref());
        let function = [node.function.clone(), file, line, known(node.module.as_ref())];
        row!(rows; function;
            node.own, node.own.saturating_mul(calls.period_ns), node.total, callers.join(";"))?;
    }
    Ok(())
}
