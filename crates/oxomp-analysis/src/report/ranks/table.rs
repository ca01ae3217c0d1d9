//! Where each process's time went: a row each, or the extremes of many.

use std::cmp::Reverse;

use oxomp_text::Page;

use super::names::{command, process_name};
use crate::ranks::{Brief, Job, most_lost};
use crate::report::table::{Align, Column, Fit, Table, write_table};
use crate::report::units::{percent, share, time};
use crate::summary::Class;

/// With more processes, only extremes and the mean have rows.
const ALL: usize = 16;
/// Rows at each end.
const EXTREMES: usize = 4;

const fn column(title: &'static str, fit: Fit) -> Column {
    Column { title, align: Align::Right, fit }
}

const COLUMNS: [Column; 11] = [
    Column { title: "", align: Align::Left, fit: Fit::Fixed },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(12) },
    column("wall", Fit::Fixed),
    column("CPU", Fit::Drop(2)),
    column("threads", Fit::Drop(1)),
    column("work", Fit::Fixed),
    column("in regions", Fit::Drop(3)),
    column("serial or MPI", Fit::Drop(4)),
    column("MPI", Fit::Fixed),
    column("computing", Fit::Fixed),
    Column { title: "lost most to", align: Align::Left, fit: Fit::Drop(0) },
];

pub(super) fn write(page: &mut Page, job: &Job) {
    let mpi = job.imbalance.as_ref().is_some_and(|imbalance| imbalance.without_mpi);
    let compute = |one: &&Brief| one.compute_ns(mpi);
    let mut table = Table::new(&COLUMNS);
    let several_hosts = job.processes.windows(2).any(|two| two[0].hostname != two[1].hostname);
    let mut by_compute: Vec<&Brief> = job.processes.iter().collect();
    let title = if by_compute.len() <= ALL {
        "Where the processes' time went"
    } else {
        by_compute.sort_by_cached_key(|one| Reverse(compute(one)));
        by_compute.drain(EXTREMES..by_compute.len() - EXTREMES);
        "Where the processes' time went: those that compute longest, and shortest"
    };
    for one in by_compute {
        table.row(cells(one, several_hosts, mpi));
    }
    table.row(mean(job, mpi));
    write_table(page, title, &table);
}

fn cells(one: &Brief, several_hosts: bool, mpi: bool) -> Vec<String> {
    let about = match (&one.rank, several_hosts) {
        (_, true) => one.hostname.clone(),
        (None, false) => program(one),
        (Some(_), false) => String::new(),
    };
    vec![
        process_name(one),
        about,
        time(one.wall_ns),
        one.cpu_ns.map(time).unwrap_or_default(),
        one.threads.to_string(),
        percent(share(one.work_ns(), one.total_ns)),
        time(one.in_regions_ns),
        if one.is_mpi_unknown() { time(one.outside_ns) } else { String::new() },
        one.mpi_ns().filter(|_| mpi).map(time).unwrap_or_default(),
        if mpi { time(one.compute_ns(mpi)) } else { String::new() },
        lost(&one.by_class, one.total_ns),
    ]
}

fn mean(job: &Job, mpi: bool) -> Vec<String> {
    let number = job.processes.len().max(1) as u64;
    let mean =
        |value: &dyn Fn(&Brief) -> u64| time(job.processes.iter().map(value).sum::<u64>() / number);
    let total = job.processes.iter().map(|one| one.total_ns).sum();
    let mut by_class = [0; Class::COUNT];
    for class in Class::ALL {
        by_class[class as usize] = job.class_ns(class);
    }
    let cpu: Option<u64> = job.processes.iter().map(|one| one.cpu_ns).sum();
    vec![
        "mean".to_owned(),
        String::new(),
        mean(&|one| one.wall_ns),
        cpu.map(|cpu| time(cpu / number)).unwrap_or_default(),
        String::new(),
        percent(share(job.processes.iter().map(Brief::work_ns).sum(), total)),
        mean(&|one| one.in_regions_ns),
        if job.processes.iter().any(Brief::is_mpi_unknown) {
            mean(&|one| one.outside_ns)
        } else {
            String::new()
        },
        if mpi { mean(&|one| one.mpi_ns().unwrap_or(0)) } else { String::new() },
        if mpi { mean(&|one| one.compute_ns(mpi)) } else { String::new() },
        lost(&by_class, total),
    ]
}

/// The command line without the program's folder.
fn program(one: &Brief) -> String {
    let command = command(one);
    let (first, rest) = command.split_once(' ').unwrap_or((&command, ""));
    let name = first.rsplit_once('/').map_or(first, |(_, name)| name);
    format!("{name} {rest}").trim_end().to_owned()
}

/// `load imbalance 23.1 %`, the class in which most of the threads' time was lost.
fn lost(by_class: &[u64; Class::COUNT], total_ns: u64) -> String {
    most_lost(by_class)
        .map(|class| {
            format!("{} {}", class.name(), percent(share(by_class[class as usize], total_ns)))
        })
        .unwrap_or_default()
}
