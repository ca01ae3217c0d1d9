//! `oxomp profile` on the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::program::RuntimeArg;
use super::seconds::seconds;
use crate::duration::duration;
use crate::props::{AttachProps, Command, LastProps, ProfileProps};
use crate::trigger::Trigger;

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp profile -- ./solver -n 1000
  oxomp profile -o before -- ./solver    keep the data in `before/`
  oxomp profile --repeat 5 -- ./solver   five runs: how far do they differ? `oxomp diff` compares them
  oxomp profile --runtime keep -- ./a    do not change the runtime that the program links
  oxomp profile --runtime oxomp -- ./a   put oxomp's runtime under a program of libomp too
  oxomp profile --hz 2000 -- ./solver    more samples, for a short run
  oxomp profile --counters -- ./solver   with the processor's counters: IPC, traffic of memory
  mpirun -n 4 oxomp profile -- ./a       a recording of each rank, in one folder
  oxomp profile -- mpirun -n 4 ./a       the same, where all ranks run on this machine
  oxomp profile --pid 4711 --duration 10 ten seconds of a process that runs already
  oxomp profile --live -- ./a > output   see meanwhile what its threads do
  oxomp profile --slices -- ./solver     how does it go over time? `oxomp report --window 20,30`
  oxomp profile --last 10s -- ./service  the ten seconds before its end, its crash, or SIGUSR1
  oxomp profile --last 10s --trigger 'region=relax>2s' -- ./service
                                         and those before each time that the region takes so long

ENVIRONMENT:
  OXOMP_MAX_SIZE=512M                    room for the data of each process, 256M if unset; when it is
                                         short, or a run long, events are recorded in windows
                                         spread over the run, and summed up in between
  OXOMP_SAMPLER=timer                    sample by timers of processor time where perf's event is in
                                         the way; `auto` if unset

The summary comes on standard error when the program has ended: by itself, by Ctrl-C or by a crash.
The data stays in `oxomp-<program>-<n>/`; `oxomp report` prints the summary again.

SEVERAL PROCESSES: children that use OpenMP have a recording each (`<process>.oxp`), ranks of a
parallel job too (`rank-0.oxp` ...; known are the variables of Open MPI, MPICH, PMIx, Slurm, PALS,
Flux and MVAPICH). They are compared first: their times, who waits for whom, the regions of all.
Below mpirun or srun, rank 0 prints that when the others have ended, or when none of them has for
5 s; the others print warnings only, with their rank before it.

A PROCESS THAT RUNS ALREADY (--pid): it has to run on oxomp's runtime, for instance started by `oxomp
run`, and without another OMPT tool. It takes the right to ptrace(2) it, does not stop it, and is
recorded from the next construct of each thread on. Regions that are under way are seen, and count
from there. The collector stays loaded, and does nothing after the end; the process can be recorded
again.

PROGRAMS THAT OFFLOAD: target constructs have a section of their own: kernels, transfers, and data
that were copied again. A program with nothing but target constructs needs `--runtime oxomp`, since
LLVM's libomp starts no tool in it.

EXIT STATUS: the program's; 125 if oxomp failed, 126 if the program cannot be run, 127 if there is
no such program.";

#[derive(Debug, Args)]
pub(super) struct ProfileArgs {
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
    /// Read counters of the processor and the kernel, and show them by region
    ///
    /// Without LIST: cycles, instructions, cache lines from memory (memory-lines),
    /// cache-references, cache-misses, and where they fit beside these remote-lines (from memory of
    /// another NUMA node), hitm (loads of lines that another core had changed) and
    /// stalled-cycles-backend. LIST names some of these, others of perf (branch-misses,
    /// LLC-load-misses, page-faults, context-switches), and rNNNN, events of the processor by
    /// number; commas separate them, and `default` stands for the usual ones. The program runs
    /// without those that the kernel refuses, and the report says why.
    #[arg(
        long,
        value_name = "LIST",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "default",
        conflicts_with = "no_sampling"
    )]
    counters: Option<String>,
    /// Record a process that runs already, on oxomp's runtime, instead of starting a program
    #[arg(
        long,
        value_name = "PID",
        value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with_all = ["repeat", "runtime", "program"]
    )]
    pid: Option<u32>,
    /// How long to record the process of --pid, in seconds; by default until Ctrl-C
    #[arg(long, value_name = "SECONDS", requires = "pid", value_parser = seconds)]
    duration: Option<Duration>,
    /// Keep only the last seconds, and write them when asked for, and at the end
    ///
    /// TIME is in seconds, or has a unit: 10s, 500ms, 2m. The recording has a bounded size, however
    /// long the program runs. The last seconds are written by SIGUSR1 to oxomp, by
    /// `omp_control_tool(omp_control_tool_flush, 0, NULL)` in the program, by --trigger, each time
    /// into a folder of its own in the folder for the data; and at the program's end or crash into
    /// that folder itself.
    #[arg(long, value_name = "TIME", value_parser = last, conflicts_with = "repeat")]
    last: Option<Duration>,
    /// Write the last seconds when a region takes long: 'region=relax>2s', 'region>500ms'
    ///
    /// The region's name is that of its function, its source file, or FILE:LINE. A region counts
    /// when it ends, or when one of its threads has been in it for so long without any event. May
    /// be given several times; at most 20 excerpts are written so.
    #[arg(long, value_name = "CONDITION", requires = "last")]
    trigger: Vec<Trigger>,
    /// Keep apart what the threads did in each slice of time [default: 1s]
    ///
    /// Then `oxomp report --window FROM,TO` shows any part of the run alone, and the summary says
    /// how the run went on. TIME is in seconds, or has a unit: 2s, 500ms; at least 100ms. A run has
    /// at most 256 slices: they become longer as it goes on.
    #[arg(
        long,
        value_name = "TIME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1s",
        value_parser = slice,
        conflicts_with = "last"
    )]
    slices: Option<Duration>,
    /// Show meanwhile what the threads do, as `oxomp top` does, every so many seconds [default: 2]
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "2",
        value_parser = seconds
    )]
    live: Option<Duration>,
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required_unless_present = "pid",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(super) program: Vec<OsString>,
}

/// The time that is kept: at least one second, since sums are looked at every now and then.
fn last(text: &str) -> Result<Duration, String> {
    let last = duration(text)?;
    if last < Duration::from_secs(1) {
        return Err("less than one second".to_owned());
    }
    Ok(last)
}

/// The length of a slice, which is not below the time between two looks of the collector at what
/// threads do.
fn slice(text: &str) -> Result<Duration, String> {
    let least = Duration::from_millis(100);
    match duration(text) {
        Ok(length) if length >= least => Ok(length),
        Err(message) if text.parse() != Ok(0.0) => Err(message),
        _ => Err("less than 100ms".to_owned()),
    }
}

impl From<ProfileArgs> for Command {
    fn from(args: ProfileArgs) -> Self {
        let hz = if args.no_sampling { Some(0) } else { args.hz };
        let (verbose, output, live) = (args.verbose, args.output, args.live);
        let counters = args.counters;
        let last = args.last.map(|last| LastProps { last, triggers: args.trigger });
        match args.pid {
            Some(pid) => Self::Attach(AttachProps {
                verbose,
                pid,
                duration: args.duration,
                output,
                hz,
                counters,
                live,
                last,
                slices: args.slices,
            }),
            None => Self::Profile(ProfileProps {
                verbose,
                output,
                repeat: args.repeat,
                runtime: args.runtime.into(),
                live,
                last,
                slices: args.slices,
                variables: Vec::new(),
                hz,
                counters,
                program: args.program,
            }),
        }
    }
}
