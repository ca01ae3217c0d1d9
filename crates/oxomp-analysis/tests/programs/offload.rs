//! Programs with target constructs, which clang builds for the host device: their numbers against
//! the programs' own, and, where times are demanded, times and the first advice. On each pair of an
//! offload runtime and a runtime.

use std::collections::BTreeMap;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use oxomp_analysis::report::{Names, Notes, Style, TryFirst, render, try_first};
use oxomp_analysis::summary::{Direction, Offload, Summary, TargetConstruct, TargetKind};
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{File, HOST_DEVICE, Prerequisite, Program};

use crate::demand::Demand;
use crate::demanded;
use crate::run::{Run, Setting};
use crate::runtimes::{OffloadRuntime, Runtime, workspace};
use crate::whole::is_whole;

type Check = fn(&Report) -> Result<(), String>;

/// A test, the program under tests/profiler/offload, and what holds of its report.
const CHECKS: &[(&str, &str, Check)] = &[
    ("data_that_go_to_and_fro_should_stay", "copies", copies),
    ("data_that_stay_are_not_copied_again", "kept", kept),
    ("a_kernel_that_computes_has_the_constructs_time", "compute", compute),
    ("many_small_kernels_should_be_few", "many", many),
    ("a_host_that_waits_for_the_device_should_not", "waiting", waiting),
    ("work_beside_the_device_is_overlap", "balanced", balanced),
    ("a_kernel_that_kills_the_program_is_told", "killed", killed),
];

/// The program that does not end in order.
const KILLED: &str = "killed";

/// Every test on every pair.
pub(crate) fn trials(demand: Demand) -> Vec<Trial> {
    let mut trials = Vec::new();
    for runtime in [Runtime::Libomp, Runtime::Oxomp] {
        for offload in OffloadRuntime::all() {
            let is_missing = offload == OffloadRuntime::Oxomp || runtime == Runtime::Oxomp;
            let is_absent = is_missing && Runtime::Oxomp.is_absent();
            let pair = format!("{}::{}", offload.name(), runtime.name());
            for &(name, program, check) in CHECKS {
                let trial =
                    demanded(demand, format!("offload_{name}::{pair}"), is_absent, move || {
                        perform(runtime, offload, program, check, Folds::No, demand)
                    });
                trials.extend(trial);
            }
            let trial = demanded(demand, format!("offload_folded::{pair}"), is_absent, move || {
                perform(runtime, offload, "many", folded, Folds::Yes, demand)
            });
            trials.extend(trial);
        }
    }
    trials
}

/// Whether the file is so small that constructs are only added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Folds {
    No,
    Yes,
}

/// A summary as a user reads it.
struct Report {
    summary: Summary,
    places: Vec<Place>,
    text: String,
    facts: BTreeMap<String, i64>,
    /// The line marked PLANT, and those marked GRIND.
    plant: Option<String>,
    grind: Vec<String>,
    demand: Demand,
}

impl Report {
    fn of(run: &Run, program: &str, demand: Demand) -> Result<Self, String> {
        let summary = run.summary()?.clone();
        let places = Symbols::new().places(&summary.sites);
        let text = render(&summary, &places, &Notes::default(), Style::plain());
        let source = workspace().join(format!("tests/profiler/offload/{program}.c"));
        let source = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
        let marked = |mark: &str| {
            let found = source.lines().zip(1..).filter(|(line, _)| line.ends_with(mark));
            found.map(|(_, number)| format!("{program}.c:{number}")).collect::<Vec<_>>()
        };
        let (plant, grind) = (marked(" PLANT").into_iter().next(), marked(" GRIND"));
        Ok(Self { summary, places, text, facts: run.facts()?, plant, grind, demand })
    }

    fn offload(&self) -> &Offload {
        &self.summary.offload
    }

    fn fact(&self, name: &str) -> u64 {
        self.facts.get(name).copied().unwrap_or_default().unsigned_abs()
    }

    fn advices(&self) -> Vec<String> {
        let TryFirst { advices, .. } = try_first(&self.summary, Names { places: &self.places });
        advices.into_iter().map(|advice| advice.text).collect()
    }

    /// The first advice names the marked line, and has all of `parts`, if times are demanded.
    fn advises(&self, parts: &[&str]) -> Result<(), String> {
        if self.demand == Demand::Counts {
            return Ok(());
        }
        let first = self.advices().into_iter().next().unwrap_or_default();
        let plant = self.plant.as_deref().unwrap_or_default();
        let mut wanted = parts.iter().copied().chain([plant]);
        match wanted.find(|part| !first.contains(part)) {
            Some(part) => Err(format!("`{part}` is not in `{first}`:\n{}", self.text)),
            None => Ok(()),
        }
    }

    /// No advice is about devices, if times are demanded.
    fn is_silent(&self) -> Result<(), String> {
        if self.demand == Demand::Counts {
            return Ok(());
        }
        let words = ["target data", "kernels of", "transfers", "waits"];
        let about = |text: &String| words.iter().any(|word| text.contains(word));
        match self.advices().into_iter().find(about) {
            Some(text) => Err(format!("advice `{text}`:\n{}", self.text)),
            None => Ok(()),
        }
    }

    /// The construct with the most time among those of one `kind`.
    fn construct(&self, kind: TargetKind) -> Result<&TargetConstruct, String> {
        let mut all = self.offload().constructs.iter();
        all.find(|one| one.kind == kind).ok_or_else(|| format!("no {kind:?}:\n{}", self.text))
    }

    /// The construct's time lies within the time that the program measured. If times are demanded,
    /// the two differ by a twentieth at most, and by what `calls` calls of the clock and of the
    /// runtime's entry take.
    fn lasted(&self, one: &TargetConstruct) -> Result<(), String> {
        let truth = self.fact("constructs");
        let near = truth - truth / 20 - one.calls * 20_000;
        let least = if self.demand == Demand::Times { near } else { 1 };
        self.ensure(
            (least..=truth).contains(&one.time_ns),
            &format!("constructs of {truth} ns, not {} ns", one.time_ns),
        )
    }

    fn ensure(&self, holds: bool, what: &str) -> Result<(), String> {
        if holds { Ok(()) } else { Err(format!("{what}:\n{}", self.text)) }
    }
}

/// Runs `program` until its report agrees with `check`.
fn perform(
    runtime: Runtime,
    offload: OffloadRuntime,
    program: &str,
    check: Check,
    folds: Folds,
    demand: Demand,
) -> Result<(), Failed> {
    let files = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
    if !has_all(&files.map(Prerequisite::from)) {
        return Ok(());
    }
    let Some(library) = runtime.library() else { return Ok(()) };
    let Some(offload) = offload.library() else {
        skip(&format!("{} is missing", offload.name()));
        return Ok(());
    };
    let setting = Setting::new(runtime, library, Program::Clang, demand)?;
    setting.offload_by(&offload)?;
    let target = format!("-fopenmp-targets={HOST_DEVICE}");
    let compiled = setting.compile_as(&format!("offload/{program}"), program, &[&target])?;
    let command = || -> Command {
        let mut command = setting.urgent_command(&compiled);
        command.env("TMPDIR", setting.folder.path());
        if folds == Folds::Yes {
            command.env("OXOMP_MAX_SIZE", "1M");
        }
        command
    };
    let attempt = || {
        let run = setting.finish(&mut command())?;
        if !run.status.success() && program != KILLED {
            return Err(format!("{program} ended with {}: {}", run.status, run.stderr));
        }
        let report = Report::of(&run, program, demand)?;
        sound(&report)?;
        check(&report)
    };
    Ok(demand.attempts(attempt)?)
}

/// What holds in every run, disturbed or not.
fn sound(report: &Report) -> Result<(), String> {
    let (summary, offload) = (&report.summary, report.offload());
    let wall = summary.header.wall_ns;
    report.ensure(is_whole(summary), "all time has a class")?;
    report.ensure(summary.quality.lost_events == 0, "no event is lost")?;
    for one in &offload.constructs {
        report.ensure(one.time_ns <= wall, "a construct's time is in the run's")?;
        let parts = one.parts.ok_or("operations without times")?;
        let sum = parts.kernel_ns + parts.to_ns + parts.from_ns + parts.other_ns;
        report.ensure(sum.abs_diff(one.time_ns) <= one.calls, "the parts are the whole")?;
        if let Some(beside) = one.beside {
            report.ensure(beside.worked_ns <= beside.recorded_ns, "work beside it is a part")?;
        }
    }
    let saved = offload.repeated.iter().filter_map(|one| one.time_ns).sum::<u64>();
    let spent: u64 = offload.constructs.iter().map(|one| one.time_ns).sum();
    report.ensure(saved <= spent, "no more is saved than was spent")
}

const BYTES: u64 = 8 << 20;
const ROUNDS: u64 = 20;

fn copies(report: &Report) -> Result<(), String> {
    let one = report.construct(TargetKind::Target)?;
    report.ensure((one.calls, one.kernels) == (ROUNDS, ROUNDS), "a kernel in each construct")?;
    let bytes = (one.to_bytes, one.from_bytes);
    report.ensure(bytes == (ROUNDS * BYTES, ROUNDS * BYTES), "8 MB each way")?;
    report.lasted(one)?;
    let transfers = &report.offload().transfers;
    report.ensure(transfers.len() == 2, "transfers each way")?;
    for way in [Direction::To, Direction::From] {
        let found = transfers.iter().find(|one| one.direction == way);
        let found = found.ok_or("no transfer that way")?;
        report.ensure((found.count, found.bytes) == (ROUNDS, ROUNDS * BYTES), "each of 8 MB")?;
        report.ensure(found.small == 0 && found.bandwidth().is_some(), "none is small")?;
        let again = report.offload().repeated.iter().find(|one| one.direction == way);
        let again = again.ok_or("nothing is copied again")?;
        let expected = (Some("grid"), BYTES, ROUNDS - 1, (ROUNDS - 1) * BYTES);
        let found = (again.variable.as_deref(), again.size, again.count, again.bytes);
        report.ensure(found == expected, &format!("{found:?}"))?;
    }
    report.advises(&["copies grid (8.39 MB)", "38 times", "target data", "if the host neither"])
}

fn kept(report: &Report) -> Result<(), String> {
    let enter = report.construct(TargetKind::EnterData)?;
    let exit = report.construct(TargetKind::ExitData)?;
    report.ensure((enter.to_bytes, exit.from_bytes) == (BYTES, BYTES), "8 MB once")?;
    let target = report.construct(TargetKind::Target)?;
    let copied = (target.kernels, target.to_bytes, target.from_bytes);
    report.ensure(copied == (ROUNDS, 0, 0), &format!("{copied:?}"))?;
    let update = report.construct(TargetKind::Update)?;
    report.ensure(update.from_bytes == ROUNDS << 20, "1 MB each time")?;
    report.ensure(report.offload().repeated.is_empty(), "nothing is copied again")?;
    report.is_silent()
}

fn compute(report: &Report) -> Result<(), String> {
    let one = report.construct(TargetKind::Target)?;
    let parts = one.parts.ok_or("no parts")?;
    report.ensure(one.kernels == 4 && parts.kernel_ns >= 4 * 30_000_000, "the kernels' time")?;
    report
        .demand
        .times(|| report.ensure(parts.kernel_ns >= one.time_ns / 10 * 9, "most of the time"))?;
    report.ensure(parts.longest_kernel_ns >= 30_000_000, "the longest one")?;
    report.lasted(one)?;
    let small = report.offload().transfers.iter().all(|one| one.small == one.count);
    report.ensure(small, "80 bytes are a small transfer")?;
    report.is_silent()
}

const KERNELS: u64 = 5_000;

fn many(report: &Report) -> Result<(), String> {
    let one = report.construct(TargetKind::Target)?;
    report.ensure((one.calls, one.kernels) == (KERNELS, KERNELS), "every kernel")?;
    report.advises(&["5 000 kernels of", "starting them"])
}

/// The sums have every construct, though the events of a part, or of all, were not recorded.
fn folded(report: &Report) -> Result<(), String> {
    many(report)?;
    let one = report.construct(TargetKind::Target)?;
    let recorded = report.summary.quality.events;
    report.ensure(recorded < 4 * KERNELS, &format!("{recorded} events"))?;
    let recorded = one.beside.map_or(0, |beside| beside.recorded_ns);
    report.ensure(recorded < one.time_ns, "a part of the time")
}

/// The kernel's time goes on until the program was seen last, and its code has names.
fn killed(report: &Report) -> Result<(), String> {
    let truth = report.fact("under_way");
    report.ensure(truth > 0 && report.summary.header.truncated, "the program was killed")?;
    let mut constructs = report.offload().constructs.iter();
    let one = constructs.find(|one| one.unfinished.is_some()).ok_or("all are finished")?;
    let unfinished = one.unfinished.ok_or("as above")?;
    report.ensure((unfinished.calls, unfinished.in_kernel) == (1, 1), "one, in a kernel")?;
    report.ensure((one.calls, one.kernels) == (1, 1), "no other of its place")?;
    let time = unfinished.longest_ns;
    report.demand.times(|| {
        let allowed = truth - truth / 8..truth + truth / 50;
        report.ensure(allowed.contains(&time), &format!("{time} ns instead of {truth} ns"))
    })?;
    report.ensure(one.time_ns == time && one.longest_ns == time, "that is its time")?;
    let place = one.site.and_then(|site| report.places.get(site.0 as usize));
    report.ensure(place.map(Place::short) == report.plant, "its place")?;
    report.ensure(report.text.contains("not finished: it was under way"), "the text tells it")?;
    report.ensure(constructs.all(|other| other.unfinished.is_none()), "the others are finished")?;
    let sampled = report.summary.sampled.as_ref().ok_or("no samples")?;
    let hot = sampled.code.first().ok_or("no code")?;
    let line = hot
        .line
        .as_ref()
        .map(|(file, line)| format!("{}:{line}", file.rsplit('/').next().unwrap_or_default()));
    let found = (hot.function.as_str(), hot.module.as_deref());
    report.ensure(found == ("grind", Some("image of killed")), &format!("{hot:?}"))?;
    let is_loop = line.as_ref().is_some_and(|line| report.grind.contains(line));
    report.ensure(is_loop, &format!("{line:?}"))
}

fn waiting(report: &Report) -> Result<(), String> {
    let one = report.construct(TargetKind::Target)?;
    report.lasted(one)?;
    let overlap = report.offload().overlap.ok_or("no overlap")?;
    report.ensure(one.calls == 6, "six constructs")?;
    if report.demand == Demand::Counts {
        return Ok(());
    }
    report.ensure(overlap.both_ns <= overlap.constructs_ns / 20, "nobody works beside it")?;
    let truth = report.fact("host");
    let allowed = truth..truth + truth / 10;
    report.ensure(allowed.contains(&overlap.host_ns), &format!("{truth} ns of the host"))?;
    report.advises(&["the host waits", "nowait, if"])
}

fn balanced(report: &Report) -> Result<(), String> {
    let one = report.construct(TargetKind::Target)?;
    let beside = one.beside.ok_or("nothing was recorded")?;
    report.demand.times(|| {
        let most = beside.recorded_ns / 10 * 8;
        report.ensure(beside.worked_ns >= most, "work beside the kernels")
    })?;
    report.is_silent()
}
