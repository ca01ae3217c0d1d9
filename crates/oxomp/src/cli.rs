//! The command line as clap sees it; the rest of the program takes [`crate::props`].

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use oxomp_export::Extent;

use oxomp_compare::{Gate, Group};

use crate::props::{
    AdviseProps, AdviseSubject, Command, DebugProps, DebugSubject, DiffProps, DoctorProps, Format,
    ProfileProps, ReportProps, RunProps, RuntimePolicy,
};

const EXAMPLES: &str = "\
EXAMPLES:
  oxomp run -- ./solver -n 1000          run a gcc or clang program on oxomp's runtime
  oxomp run -v -- ./solver -n 1000       the same, and say what was done and which runtime is in use
  oxomp profile -- ./solver -n 1000      where did the time go? no rebuild, no privileges
  oxomp profile -- python3 train.py      programs that bring their own libgomp
  oxomp report oxomp-solver-1            print the summary of a run again, even of a killed one
  oxomp diff before after                what did a change of the program gain or cost, and where?
  oxomp advise oxomp-solver-1            which schedule, how many threads? replayed from a run
  oxomp doctor -- ./solver               which runtime would it load, and can tools watch it there?
  oxomp debug 4711                       what do the threads of process 4711 wait for, and who holds
                                         it?
  oxomp debug -- ./solver -n 1000        the same, where the program hangs or crashes

Compile with -g to see file names and lines. The exit status, the signals and the output of the
program pass through; what oxomp says of a running program goes to standard error.";

const RUN_EXAMPLES: &str = "\
EXAMPLES:
  oxomp run -- ./solver -n 1000
  OMP_NUM_THREADS=4 oxomp run -- ./solver
  oxomp run -v -- ./solver               which library was put where, and is it the one in use?
  oxomp run -- python3 train.py          our runtime comes before copies that wheels bundle

EXIT STATUS: the program's; 125 if oxomp failed, 126 if the program cannot be run, 127 if there is
no such program.";

const PROFILE_EXAMPLES: &str = "\
EXAMPLES:
  oxomp profile -- ./solver -n 1000
  oxomp profile -o before -- ./solver    keep the data in `before/`
  oxomp profile --repeat 5 -- ./solver   five runs: how far do they differ? `oxomp diff` compares them
  oxomp profile --runtime keep -- ./a    do not change the runtime that the program links
  oxomp profile --runtime oxomp -- ./a   put oxomp's runtime under a program of libomp too
  oxomp profile --hz 2000 -- ./solver    more samples, for a short run
  mpirun -n 4 oxomp profile -- ./a       a recording of each rank, in one folder
  oxomp profile -- mpirun -n 4 ./a       the same, where all ranks run on this machine

VARIABLES:
  OXOMP_MAX_SIZE=512M                    room for the data of each process, 256M if unset; when it is
                                         short, regions and waits are only summed up
  OXOMP_SAMPLER=timer                    sample by timers of processor time where perf's event is in
                                         the way; `auto` if unset

The summary comes on standard error when the program has ended: by itself, by Ctrl-C or by a crash.
The data stays in `oxomp-<program>-<n>/`; `oxomp report` prints the summary again.

SEVERAL PROCESSES: children that use OpenMP have a recording each (`<process>.oxp`), ranks of a
parallel job too (`rank-0.oxp` ...; known are the variables of Open MPI, MPICH, PMIx, Slurm, PALS,
Flux and MVAPICH). They are compared first: their times, who waits for whom, the regions of all.
Below mpirun or srun, rank 0 prints that when the others have ended, or when none of them has for
5 s; the others print warnings only, with their rank before it.

EXIT STATUS: the program's; 125 if oxomp failed, 126 if the program cannot be run, 127 if there is
no such program.";

const REPORT_EXAMPLES: &str = "\
EXAMPLES:
  oxomp report oxomp-solver-1            a folder that `oxomp profile` wrote
  oxomp report oxomp-solver-1/run.oxp    one file
  oxomp report oxomp-solver-1/rank-3.oxp one rank of a parallel job; the folder compares them all
  oxomp report oxomp-solver-1 | less     the summary goes to standard output
  oxomp report oxomp-solver-1 --json     every number, in oxomp-solver-1/run.json
  oxomp report oxomp-solver-1 --json=- | jq .budget
                                         on standard output
  oxomp report oxomp-solver-1 --csv=tables
                                         tables/regions.csv, tables/threads.csv and others
  oxomp report oxomp-solver-1 --perfetto --window 1.5,2
                                         half a second of the timeline, for ui.perfetto.dev
  oxomp report oxomp-solver-1 --firefox  samples and timeline, for profiler.firefox.com
  oxomp report --json-schema             the meaning and unit of each property of --json

With an output option the summary is not printed. Each option takes the file after an equals sign
(`--json=FILE`, `-` is standard output); without it the file lies beside the recording. A file is
written under another name first: it is whole, or not there.";

const DIFF_EXAMPLES: &str = "\
EXAMPLES:
  oxomp profile --repeat 5 -o before -- ./solver
  (change the program)
  oxomp profile --repeat 5 -o after -- ./solver
  oxomp diff before after                what became faster or slower, beyond noise?
  oxomp diff before after --fail-on any  in CI: no construct may become slower either
  oxomp diff --json before after         a document for programs; its README has the schema
  oxomp diff --threshold 10% one.oxp other.oxp
                                         single runs: their noise is unknown

The two are files, folders that `oxomp profile` wrote, or folders of its repeated runs. Constructs
are matched by function, order and line: edited programs can be compared. A change counts if it is
above the threshold and, where there are three runs or more of each, beyond the noise between them.
A construct's change has to be above 1 % of the wall time, too.

EXIT STATUS: 0 if nothing that --fail-on names has become worse, 1 if something has; 125 if oxomp
failed, or some of the runs could not be read.";

const ADVISE_EXAMPLES: &str = "\
EXAMPLES:
  oxomp advise oxomp-solver-1            a folder that `oxomp profile` wrote
  oxomp advise -- ./solver -n 1000       record the program first, then advise
  oxomp advise --threads 16 run.oxp      what would the run take on 16 threads?
  oxomp advise --region solver.c:118 oxomp-solver-1
  oxomp advise --json oxomp-solver-1     every prediction, in ns, with its error

It replays the recorded costs of loop iterations under other schedules, and says what the region
would take, how far that can be wrong, and the text to write. Costs are known by 256 parts of the
iterations for loops of dynamic and guided schedule (up to 15 loops), by each thread's part for
static ones. Of loops of static schedule that gcc compiles nothing is seen: with schedule(runtime)
and OMP_SCHEDULE=dynamic,1 it is. Tasks: bounds from their work and their longest chain.

Memory is not replayed: if other threads than now touch the data, or more of them, iterations may
cost something else. What shows of that in the recording is said.

EXIT STATUS: 0; 125 if oxomp failed. With a program its own.";

const DOCTOR_EXAMPLES: &str = "\
EXAMPLES:
  oxomp doctor                           the runtimes of this system, and oxomp's own
  oxomp doctor -- ./solver               which runtimes would the program load, which one wins, do
                                         OMPT and OMPD work there, and what do OMP_TOOL,
                                         OMP_TOOL_LIBRARIES and OMP_DEBUG lead to?
  oxomp doctor --runtime /usr/lib/llvm-22/lib
                                         does that runtime's OMPT conform? one line a check
  oxomp doctor --runtime libomp.so.5 --only states
                                         the checks whose name or group contains `states`

A check is `ok`, `missing` (the runtime lacks it) or `wrong` (with what was seen), and names the
clause of the OpenMP specification. It makes the calls of compiled programs, clang's or gcc's, in a
process of its own: no compiler is needed, and a runtime that crashes or hangs is a finding.
`skipped`: no program of that compiler, or with that construct, runs on the runtime.

EXIT STATUS: 0 if nothing is missing or wrong and there is no warning, else 1; 125 if oxomp failed,
126 if the program cannot be run, 127 if there is no such program.";

const DEBUG_EXAMPLES: &str = "\
EXAMPLES:
  oxomp debug 4711                       a process that hangs: stopped for the moment of looking
  oxomp debug core.4711                  a process that has crashed; its program is named there
  oxomp debug core.4711 ./solver         the same, where the program has moved
  oxomp debug -- ./solver -n 1000        run it, and say what is wrong when it hangs or crashes
  oxomp debug --end-on-deadlock -- ./solver
                                         for CI: a deadlock ends the program, with status 124

It prints the tree of regions, threads and tasks, with file and line; what each thread waits for,
and who holds it. Threads that wait for each other in a circle are a deadlock, and named first.

WHILE `oxomp debug -- ./solver` RUNS:
  Ctrl-\\                                 print the state; the program goes on
  Ctrl-C                                 print the state, then interrupt the program
  a crash (SIGSEGV, SIGABRT ...)         prints the state before the program dies of it
  a deadlock                             is found by itself, and printed once; from then on the
                                         program is alone: Ctrl-C ends it, `gdb -p` attaches
The state goes to standard error, beside what the program says itself; -o puts it into a file. Only
the program is watched, not the processes that it starts.

The program runs on oxomp's runtime, as with `oxomp run`, with OMP_DEBUG=enabled unless that
variable is set: then the runtime also keeps the functions of regions and tasks. A process that was
started otherwise is explained with what there is. On another runtime (libgomp, libomp) there are
native threads and their calls only.

A number is a process, unless there is a file of that name; `-p 4711` always means the process,
`./4711` always the file. To look at a process takes the rights to trace it: it is yours, and
/proc/sys/kernel/yama/ptrace_scope is 0, or oxomp runs as root.

EXIT STATUS: 0 if there was something to see; 125 if oxomp failed. With a program its own; 124 if
--end-on-deadlock ended it, 125 if oxomp failed, 126 if the program cannot be run, 127 if there is
no such program.";

/// Runs OpenMP programs on the oxomp runtime, shows where their time went, and why they hang.
#[derive(Debug, Parser)]
#[command(name = "oxomp", version, after_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Run a program on oxomp's OpenMP runtime
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Run a program and show where its threads' time went
    #[command(after_help = PROFILE_EXAMPLES)]
    Profile(ProfileArgs),
    /// Print the summary of a recorded run, or write it for other programs
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportArgs),
    /// Compare two recorded runs, or two sets of repeated runs, construct by construct
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Replay a recorded run under other schedules and numbers of threads
    #[command(after_help = ADVISE_EXAMPLES, override_usage = ADVISE_USAGE)]
    Advise(AdviseArgs),
    /// Say which OpenMP runtime a program would load, or check a runtime's OMPT
    #[command(after_help = DOCTOR_EXAMPLES)]
    Doctor(DoctorArgs),
    /// Explain a program that hangs or has crashed: who waits for what, and who holds it
    #[command(after_help = DEBUG_EXAMPLES, override_usage = DEBUG_USAGE)]
    Debug(DebugArgs),
}

#[derive(Debug, Args)]
struct ProgramArgs {
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    program: Vec<OsString>,
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Say what is done: the runtime and why, the variables set, the libraries in use
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    program: ProgramArgs,
}

#[derive(Debug, Args)]
struct ProfileArgs {
    /// Say what is done: the runtime and why, the variables set, the libraries in use
    #[arg(short, long)]
    verbose: bool,
    /// Folder for the data, created if missing; by default `oxomp-<program>-<n>`
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Run the program so often; a run that fails is the last one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: Option<u32>,
    /// The OpenMP runtime the program is run on
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = RuntimeArg::Auto)]
    runtime: RuntimeArg,
    /// Call paths sampled per second of each thread's processor time [default: 150]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    hz: Option<u32>,
    /// Sample no call paths: regions, waits and tasks only
    #[arg(long, conflicts_with = "hz")]
    no_sampling: bool,
    #[command(flatten)]
    program: ProgramArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RuntimeArg {
    /// Keep a runtime that tools can watch (libomp, libiomp5); put oxomp's under programs of
    /// libgomp
    Auto,
    /// Put oxomp's runtime under every program
    Oxomp,
    /// Change nothing
    Keep,
}

#[derive(Debug, Args)]
struct ReportArgs {
    /// A .oxp file, or a folder that `oxomp profile` wrote
    #[arg(value_name = "FILE_OR_DIR", required_unless_present = "json_schema")]
    path: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Print the JSON Schema that the documents of --json follow
    #[arg(long, conflicts_with = "path")]
    json_schema: bool,
}

/// One option for each output.
#[derive(Debug, Args)]
struct OutputArgs {
    /// Write one HTML file to look at and to forward [default: report.html beside the recording]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    html: Option<Option<PathBuf>>,
    /// Write every number of the summary as JSON [default: run.json beside the recording]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
    /// Write the tables of the summary as CSV, one file each, into a folder [default: csv/]
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true)]
    csv: Option<Option<PathBuf>>,
    /// Write the timeline as a Perfetto trace, for ui.perfetto.dev [default: run.pftrace]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    perfetto: Option<Option<PathBuf>>,
    /// Write timeline and samples for profiler.firefox.com [default: run.firefox.json]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    firefox: Option<Option<PathBuf>>,
    /// Show only this part of the run in timelines: seconds since its start
    #[arg(long, value_name = "FROM,TO", value_parser = window)]
    window: Option<(u64, u64)>,
    /// About how large a timeline may become; shorter slices are folded
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = size,
        default_value = "100M"
    )]
    budget: u64,
}

/// A number of bytes, with K, M or G behind it for their multiples.
fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((last, 'K' | 'k')) => (&text[..last], 1_000),
        Some((last, 'M' | 'm')) => (&text[..last], 1_000_000),
        Some((last, 'G' | 'g')) => (&text[..last], 1_000_000_000),
        _ => (text, 1),
    };
    let number: Option<u64> = number.parse().ok();
    number
        .and_then(|number| number.checked_mul(unit))
        .filter(|size| *size >= 100_000)
        .ok_or_else(|| "not a size of at least 100K, such as 20M".to_owned())
}

/// Two numbers of seconds, as nanoseconds.
fn window(text: &str) -> Result<(u64, u64), String> {
    let ns = |text: &str| {
        let seconds: Option<f64> = text.trim().parse().ok();
        seconds
            .filter(|seconds| (0.0..=1e9).contains(seconds))
            .map(|seconds| (seconds * 1e9) as u64)
    };
    text.split_once(',')
        .and_then(|(from, to)| Some((ns(from)?, ns(to)?)))
        .filter(|(from, to)| from < to)
        .ok_or_else(|| "not two numbers of seconds, such as 1.5,2".to_owned())
}

impl From<OutputArgs> for Vec<(Format, Option<PathBuf>)> {
    fn from(args: OutputArgs) -> Self {
        [
            (Format::Html, args.html),
            (Format::Json, args.json),
            (Format::Csv, args.csv),
            (Format::Perfetto, args.perfetto),
            (Format::Firefox, args.firefox),
        ]
        .into_iter()
        .filter_map(|(format, place)| Some((format, place?)))
        .collect()
    }
}

#[derive(Debug, Args)]
struct DiffArgs {
    /// The recording before the change: a .oxp file, or a folder that `oxomp profile` wrote
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The recording after it
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// Smaller changes do not count
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = share)]
    threshold: f64,
    /// What must not become worse, several separated by commas
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', default_value = "wall")]
    fail_on: Vec<GateArg>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GateArg {
    /// The wall time
    Wall,
    /// The CPU time
    Cpu,
    /// The parallel efficiency
    Efficiency,
    /// The wall time of a region
    Region,
    /// The time in a loop, or sections
    Loop,
    /// The time of a construct's tasks
    Tasks,
    /// The wait for a lock, critical, ordered or atomic
    Lock,
    /// The wait at a barrier inside a region
    Barrier,
    /// Code between two regions
    Serial,
    /// Any of these
    Any,
    /// Nothing: the status is 0
    None,
}

/// `5%` or `5` as a share of one.
fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    let percent: f64 = number.parse().map_err(|_| "no number of percent".to_owned())?;
    if !(0.0..=1000.0).contains(&percent) {
        return Err("not between 0 and 1000 percent".to_owned());
    }
    Ok(percent / 100.0)
}

const ADVISE_USAGE: &str = "\
oxomp advise [OPTIONS] FILE_OR_DIR
       oxomp advise [OPTIONS] [-o DIR] [--runtime WHICH] -- PROGRAM [ARGS]...";

#[derive(Debug, Args)]
struct AdviseArgs {
    /// A .oxp file, or a folder that `oxomp profile` wrote
    #[arg(value_name = "FILE_OR_DIR", required_unless_present = "program")]
    path: Option<PathBuf>,
    /// Predict the run for this number of threads too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
    /// Only regions whose place contains TEXT, such as `solver.c:118`
    #[arg(long, value_name = "TEXT", conflicts_with = "json")]
    region: Option<String>,
    /// Print every prediction as JSON
    #[arg(long)]
    json: bool,
    /// Folder for the data of the program, created if missing; by default `oxomp-<program>-<n>`
    #[arg(short, long, value_name = "DIR", conflicts_with = "path")]
    output: Option<PathBuf>,
    /// The OpenMP runtime the program is run on
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        default_value_t = RuntimeArg::Auto,
        conflicts_with = "path"
    )]
    runtime: RuntimeArg,
    /// The program to be recorded, and its arguments
    #[arg(value_name = "PROGRAM", last = true, conflicts_with = "path")]
    program: Vec<OsString>,
}

#[derive(Debug, Args)]
struct DoctorArgs {
    /// Check this runtime for conformity: a folder that holds one, or a file
    #[arg(long, value_name = "DIR_OR_FILE", conflicts_with = "program")]
    runtime: Option<PathBuf>,
    /// Report each check as a line of JSON
    #[arg(long, requires = "runtime", conflicts_with = "program")]
    json: bool,
    /// Only the checks whose name or group contains TEXT
    #[arg(long, value_name = "TEXT", requires = "runtime", conflicts_with = "program")]
    only: Option<String>,
    /// The program; its arguments may follow, and have no effect
    #[arg(value_name = "PROGRAM", trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

const DEBUG_USAGE: &str = "\
oxomp debug [-o FILE] PID
       oxomp debug [-o FILE] CORE [PROGRAM]
       oxomp debug [OPTIONS] -- PROGRAM [ARGS]...";

#[derive(Debug, Args)]
struct DebugArgs {
    /// A process, or a core file and, where it has moved, its program
    #[arg(value_name = "PID|CORE", num_args = 1.., required_unless_present_any = ["pid", "program"])]
    target: Vec<OsString>,
    /// This process, even if there is a file whose name is this number
    #[arg(short, long, value_name = "PID", conflicts_with_all = ["target", "program"])]
    pid: Option<OsString>,
    /// Write the state to FILE
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Look for a deadlock when the program has made no progress for so long
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "5",
        value_parser = seconds,
        conflicts_with_all = ["target", "pid"]
    )]
    after: Duration,
    /// End the program when it is in a deadlock, with exit status 124
    #[arg(long, conflicts_with_all = ["target", "pid"])]
    end_on_deadlock: bool,
    /// Say what is done: the runtime and why, the variables set, the libraries in use
    #[arg(short, long, conflicts_with_all = ["target", "pid"])]
    verbose: bool,
    /// The program to be run, and its arguments
    #[arg(value_name = "PROGRAM", last = true, conflicts_with = "target")]
    program: Vec<OsString>,
}

/// A number of seconds, also a broken one, of which a clock can wait.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "no number of seconds".to_owned())?;
    if !(0.1..=1e6).contains(&seconds) {
        return Err("not between 0.1 and 1000000 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

impl Cli {
    /// Parses `words`, of which the first is our own name.
    ///
    /// # Errors
    ///
    /// Also for an option before the program that there is not: to clap, it is the program.
    pub(crate) fn parse_words(words: &[OsString]) -> Result<Self, clap::Error> {
        let cli = Self::try_parse_from(words)?;
        let (subcommand, program) = match &cli.command {
            Subcommands::Run(args) => ("run", &args.program.program),
            Subcommands::Profile(args) => ("profile", &args.program.program),
            Subcommands::Doctor(args) => ("doctor", &args.program),
            Subcommands::Report(_)
            | Subcommands::Diff(_)
            | Subcommands::Advise(_)
            | Subcommands::Debug(_) => {
                return Ok(cli);
            }
        };
        let Some(first) = program.first() else { return Ok(cli) };
        let before = words.len().checked_sub(program.len() + 1).and_then(|last| words.get(last));
        if !first.as_encoded_bytes().starts_with(b"-") || before.is_some_and(|word| word == "--") {
            return Ok(cli);
        }
        let message = format!("unexpected argument '{}' found", first.display());
        let mut command = Self::command();
        command.build();
        let command = command.find_subcommand_mut(subcommand).expect("it has just been parsed");
        Err(command.error(ErrorKind::UnknownArgument, message))
    }
}

impl From<Cli> for Command {
    fn from(cli: Cli) -> Self {
        match cli.command {
            Subcommands::Run(args) => {
                Command::Run(RunProps { verbose: args.verbose, program: args.program.program })
            }
            Subcommands::Profile(args) => Command::Profile(ProfileProps {
                verbose: args.verbose,
                output: args.output,
                repeat: args.repeat,
                runtime: args.runtime.into(),
                hz: if args.no_sampling { Some(0) } else { args.hz },
                program: args.program.program,
            }),
            Subcommands::Diff(args) => Command::Diff(DiffProps {
                before: args.before,
                after: args.after,
                threshold: args.threshold,
                fail_on: args.fail_on.into_iter().flat_map(GateArg::gates).collect(),
                json: args.json,
            }),
            Subcommands::Doctor(args) => Command::Doctor(DoctorProps {
                runtime: args.runtime,
                json: args.json,
                only: args.only,
                program: args.program.into_iter().next(),
            }),
            Subcommands::Debug(args) => Command::Debug(DebugProps {
                subject: match args.pid {
                    Some(pid) => DebugSubject::Process(pid),
                    None if args.program.is_empty() => DebugSubject::Named(args.target),
                    None => DebugSubject::Program(args.program),
                },
                output: args.output,
                after: args.after,
                end_on_deadlock: args.end_on_deadlock,
                verbose: args.verbose,
            }),
            Subcommands::Advise(args) => Command::Advise(AdviseProps {
                subject: match args.path {
                    Some(path) => AdviseSubject::Recording(path),
                    None => AdviseSubject::Program {
                        program: args.program,
                        output: args.output,
                        runtime: args.runtime.into(),
                    },
                },
                threads: args.threads,
                region: args.region,
                json: args.json,
            }),
            Subcommands::Report(args) => match args.path {
                Some(path) => Command::Report(ReportProps {
                    path,
                    extent: Extent {
                        window: args.outputs.window.unwrap_or(Extent::default().window),
                        budget: args.outputs.budget,
                    },
                    outputs: args.outputs.into(),
                }),
                None => Command::JsonSchema,
            },
        }
    }
}

impl GateArg {
    fn gates(self) -> Vec<Gate> {
        let group = |group| vec![Gate::Group(group)];
        match self {
            Self::Wall => vec![Gate::Wall],
            Self::Cpu => vec![Gate::Cpu],
            Self::Efficiency => vec![Gate::Efficiency],
            Self::Region => group(Group::Region),
            Self::Loop => group(Group::Loop),
            Self::Tasks => group(Group::Tasks),
            Self::Lock => group(Group::Lock),
            Self::Barrier => group(Group::Barrier),
            Self::Serial => group(Group::Serial),
            Self::Any => {
                let whole = [Gate::Wall, Gate::Cpu, Gate::Efficiency];
                whole.into_iter().chain(Group::ALL.map(Gate::Group)).collect()
            }
            Self::None => Vec::new(),
        }
    }
}

impl From<RuntimeArg> for RuntimePolicy {
    fn from(argument: RuntimeArg) -> Self {
        match argument {
            RuntimeArg::Auto => Self::Auto,
            RuntimeArg::Oxomp => Self::Oxomp,
            RuntimeArg::Keep => Self::Keep,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::{CommandFactory, Parser};

    use super::Cli;
    use crate::props::Command;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_behind_the_program_belong_to_it() {
        for line in [
            &["oxomp", "run", "-v", "--", "./app", "-v", "--", "--help"][..],
            &["oxomp", "run", "-v", "./app", "-v", "--", "--help"][..],
        ] {
            let Command::Run(props) = Cli::parse_from(line).into() else {
                panic!("`run` gives a run")
            };
            assert!(props.verbose);
            assert_eq!(props.program, ["./app", "-v", "--", "--help"]);
        }
    }

    #[test]
    fn an_option_that_there_is_not_is_no_program() {
        let parse =
            |line: &str| Cli::parse_words(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        for line in ["oxomp profile --typo -- ./app", "oxomp run -v --typo ./app"] {
            let error = parse(line).expect_err("there is no such option").to_string();
            assert!(error.contains("'--typo'") && error.contains("Usage: oxomp"), "{error}");
        }
        for line in ["oxomp profile -v -- --app", "oxomp doctor ./app --typo", "oxomp run ./app"] {
            assert!(parse(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn a_program_is_demanded() {
        assert!(Cli::try_parse_from(["oxomp", "profile", "--"]).is_err());
    }
}
