//! Compiling random programs, running them with the recorder, and judging their logs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::accept::{self, Run};
use super::check;
use super::program::draw;
use super::program::text::{self, Lines};
use super::program::tree::{Program, Schedule};
use super::shrink;
use super::violation::Violation;
use crate::compiler::Family;
use crate::compiler::kept::compile;
use crate::directives::Ending;
use crate::process;
use crate::runtime::check_loaded;
use crate::trace;
use crate::trace::log::{self, Event};
use crate::trace::source::SourceLines;

/// What to run, and on what.
#[derive(Debug, Clone)]
pub struct Request {
    /// The number of programs for each compiler.
    pub programs: u32,
    /// The seed of the first; the others have the seeds after it.
    pub seed: u64,
    pub compilers: Vec<Family>,
    /// A folder with the runtime under the names that programs ask for.
    pub runtime: PathBuf,
    pub recorder: PathBuf,
    /// Where programs, logs and reports are kept.
    pub folder: PathBuf,
    /// How many programs may fail before the run ends.
    pub most_failures: usize,
    /// Whether a program that fails is made smaller.
    pub shrinks: bool,
}

/// A program that broke a rule.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The program's seed.
    pub seed: u64,
    /// The compiler that built it.
    pub compiler: Family,
    /// The violations, the first first.
    pub violations: Vec<Violation>,
    /// All of that, with the log's lines, the program's file and the command.
    pub report: String,
}

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// How many programs were run, each compiler's counted.
    pub runs: usize,
    /// How many events they caused.
    pub events: usize,
    /// The programs that failed.
    pub failures: Vec<Failure>,
}

/// How many programs are in one file: a compiler's start costs more than a program.
const BATCH: u32 = 20;

/// The longest that a program may run.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs the request; `progress` is told how many runs are done, and each failure.
///
/// # Errors
///
/// A program that cannot be compiled, or a file that cannot be written.
pub fn run(request: &Request, progress: &(dyn Fn(&str) + Sync)) -> Result<Report, String> {
    fs::create_dir_all(&request.folder)
        .map_err(|error| format!("{}: {error}", request.folder.display()))?;
    let mut batches = Vec::new();
    // The programs of a file are compiled alike: a file begins where the turn changes.
    let (mut first, mut left) = (request.seed, request.programs);
    while left > 0 {
        let count = left.min(BATCH - u32::try_from(first % u64::from(BATCH)).unwrap_or(0));
        batches.extend(request.compilers.iter().map(|compiler| (*compiler, first, count)));
        first += u64::from(count);
        left -= count;
    }
    let next = AtomicUsize::new(0);
    let report = Mutex::new(Report::default());
    let error = Mutex::new(None);
    let work = || {
        while let Some((compiler, seed, count)) = batches.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let programs: Vec<Program> =
                (*seed..*seed + u64::from(*count)).map(draw::program).collect();
            let result = batch(request, *compiler, &programs, &report, progress);
            let failures = report.lock().map_or(0, |report| report.failures.len());
            if let Err(said) = &result {
                *error.lock().unwrap_or_else(|poison| poison.into_inner()) = Some(said.clone());
            }
            if result.is_err() || failures >= request.most_failures {
                next.store(batches.len(), Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(4);
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let error = error.into_inner().unwrap_or_else(|poison| poison.into_inner());
    match error {
        Some(error) => Err(error),
        None => Ok(report.into_inner().unwrap_or_else(|poison| poison.into_inner())),
    }
}

fn batch(
    request: &Request,
    compiler: Family,
    programs: &[Program],
    report: &Mutex<Report>,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<(), String> {
    let seed = programs.first().map_or(0, |program| program.seed);
    let built = Built::new(request, compiler, programs, &format!("{}-{seed}", compiler.name()))?;
    for (index, program) in programs.iter().enumerate() {
        let judged = built.judge(request, index, program);
        let failure = (!judged.violations.is_empty()).then(|| {
            let small = request.shrinks.then(|| shrink::shrink(request, &built, program, &judged));
            failure(request, &built, index, program, &judged, small.flatten())
        });
        let mut report = report.lock().unwrap_or_else(|poison| poison.into_inner());
        report.runs += 1;
        report.events += judged.events.len();
        if let Some(failure) = failure {
            progress(&failure.report);
            report.failures.push(failure);
        }
        if report.runs.is_multiple_of(100) {
            let (runs, events) = (report.runs, report.events);
            progress(&format!("{runs} runs, {events} events"));
        }
        if report.failures.len() >= request.most_failures {
            break;
        }
    }
    built.remove();
    Ok(())
}

/// Several programs, compiled into one executable.
#[derive(Debug)]
pub struct Built {
    pub compiler: Family,
    pub source: PathBuf,
    executable: PathBuf,
    lines: Vec<Lines>,
    debug: Option<SourceLines>,
    has_jumps: bool,
}

/// The events of a run of a program, and the verdict.
#[derive(Debug, Default)]
pub struct Judged {
    pub events: Vec<Event>,
    /// The violations that they show.
    pub violations: Vec<Violation>,
    /// The file of the log.
    pub log: PathBuf,
    /// The command, as one types it.
    pub command: String,
}

impl Built {
    /// Writes and compiles `programs` as `name` in the request's folder.
    ///
    /// # Errors
    ///
    /// The compiler's command and what it said.
    pub fn new(
        request: &Request,
        compiler: Family,
        programs: &[Program],
        name: &str,
    ) -> Result<Self, String> {
        let (text, lines) = text::file(programs, compiler);
        let source = request.folder.join(format!("{name}.c"));
        fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        let executable = source.with_extension("exe");
        // In turn: with exact lines; optimised; and with jumps in place of calls.
        let turn = programs.first().map_or(0, |program| program.seed / u64::from(BATCH) % 3);
        let (is_optimised, has_jumps) = (turn > 0, turn == 2);
        let mut command = compiler.program(&source).command();
        command.args(["-fopenmp", "-g", "-fno-omit-frame-pointer", "-pthread", "-w"]);
        if !has_jumps {
            command.arg("-fno-optimize-sibling-calls");
        }
        command.arg(if is_optimised { "-O2" } else { "-O0" });
        compile(command.arg("-o").arg(&executable).arg(&source))?;
        let debug = if is_optimised { None } else { Some(SourceLines::new(&executable, &source)?) };
        Ok(Self { compiler, source, executable, lines, debug, has_jumps })
    }

    /// Removes what a failure does not refer to.
    pub fn remove(&self) {
        for file in [&self.source, &self.executable, &self.source.with_extension("log")] {
            // Nothing depends on it: the next run overwrites it.
            let _ = fs::remove_file(file);
        }
    }

    /// Runs the program of that number and judges its log.
    #[must_use]
    pub fn judge(&self, request: &Request, index: usize, program: &Program) -> Judged {
        let log = self.source.with_extension("log");
        // Nothing may be left of an earlier run.
        let _ = fs::remove_file(&log);
        let mut command = self.command(request, index, program);
        if index == 0 {
            command.env("LD_DEBUG", "files");
        }
        let mut judged = Judged { log: log.clone(), ..Judged::default() };
        judged.command = process::shown(&command);
        let mut say = |clause, said: String| {
            judged.violations.push(Violation::new(clause, said, None));
        };
        trace::record_with(&mut command, &request.recorder, &log);
        let outcome = match process::run(&mut command, LIMIT) {
            Ok(outcome) => outcome,
            Err(error) => {
                say("the run", error.to_string());
                return judged;
            }
        };
        if let Some(stacks) = &outcome.stacks {
            say("the run", format!("the program hangs:\n{stacks}"));
        } else if outcome.ending != Ending::Status(0) {
            let end: String = outcome.stderr.lines().rev().take(5).collect::<Vec<_>>().join("\n");
            say("the run", format!("it ends with {:?}: {end}", outcome.ending));
        } else if index == 0
            && let Err(said) = check_loaded(&outcome.stderr, &request.runtime)
        {
            say("the run", said);
        }
        if !judged.violations.is_empty() {
            return judged;
        }
        let text = fs::read_to_string(&log).map_err(|error| format!("no log: {error}"));
        let log = match text.and_then(|text| log::parse(&text)) {
            Ok(log) => log,
            Err(said) => {
                judged.violations.push(Violation::new("the run", said, None));
                return judged;
            }
        };
        let (history, mut violations) = check::check(&log);
        let module = self.executable.file_name().unwrap_or_default().to_string_lossy();
        let run = Run {
            program,
            compiler: self.compiler,
            lines: &self.lines[index],
            source: self.debug.as_ref(),
            module: &module,
            has_jumps: self.has_jumps,
        };
        violations.extend(accept::check(run, &log, &history));
        judged.violations = violations;
        judged.events = log.events;
        judged
    }

    #[must_use]
    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// Whether calls at the end of functions are jumps, which leave no address of the program.
    #[must_use]
    pub fn has_jumps(&self) -> bool {
        self.has_jumps
    }

    /// The command that runs the program of that number, without a tool.
    #[must_use]
    pub fn command(&self, request: &Request, index: usize, program: &Program) -> Command {
        let mut command = Command::new(&self.executable);
        process::clear_environment(&mut command);
        let (schedule, chunk) = program.schedule;
        let schedule = match schedule {
            Schedule::Dynamic => "dynamic",
            Schedule::Guided => "guided",
            _ => "static",
        };
        command
            .arg(index.to_string())
            .env("LD_LIBRARY_PATH", &request.runtime)
            .env("OMP_NUM_THREADS", "4")
            .env("OMP_MAX_ACTIVE_LEVELS", program.max_active_levels.to_string())
            .env("OMP_SCHEDULE", format!("{schedule},{chunk}"))
            .env("OMP_CANCELLATION", "true")
            .env("OMP_WAIT_POLICY", "passive");
        command
    }
}

/// The report of a failure, whose program and log are kept.
fn failure(
    request: &Request,
    built: &Built,
    index: usize,
    program: &Program,
    judged: &Judged,
    small: Option<PathBuf>,
) -> Failure {
    let name = format!("failed-{}-{}", built.compiler.name(), program.seed);
    let kept = |suffix: &str| request.folder.join(format!("{name}.{suffix}"));
    // The report names the files; where one cannot be kept it says so by its absence.
    let _ = fs::copy(&built.source, kept("c"));
    let _ = fs::copy(&judged.log, kept("log"));
    let _ = fs::copy(&built.executable, kept("exe"));
    let mut report = format!(
        "seed {} with {}: {} violations\n",
        program.seed,
        built.compiler.name(),
        judged.violations.len()
    );
    for violation in judged.violations.iter().take(3) {
        report.push_str(&violation.shown(&judged.events));
        report.push('\n');
    }
    report.push_str(&format!("  program {index} of {}\n", kept("c").display()));
    report.push_str(&format!("  log {}\n", kept("log").display()));
    let executable = built.executable.display().to_string();
    let command = judged.command.replace(&executable, &kept("exe").display().to_string());
    report.push_str(&format!("  {command}\n"));
    if let Some(small) = small {
        report.push_str(&format!("  smaller: {}\n", small.display()));
    }
    Failure {
        seed: program.seed,
        compiler: built.compiler,
        violations: judged.violations.clone(),
        report,
    }
}
